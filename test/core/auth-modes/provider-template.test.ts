import { expect } from 'chai';
import { fillJson } from '../../../core/auth-modes/provider-template.ts';
import { encodedBody } from '../../../core/auth-modes/token-endpoint/token-call.ts';
import { TemplateError } from '../../../core/kit/template.ts';
import { modeInput } from './token-endpoint/mode-input.ts';

const source = modeInput({}, { connectionConfig: { site: 'acme', empty: '', nested: '${connectionConfig.site}' } });

describe('typed templates', () => {
  it('keep numbers, booleans, null, lists and objects, and fill the texts', () => {
    const filled = fillJson(
      { list: ['a', '${connectionConfig.site}', 7], deep: { yes: true, none: null, site: '${connectionConfig.site}' } },
      source,
    );
    expect(filled).to.deep.equal({ list: ['a', 'acme', 7], deep: { yes: true, none: null, site: 'acme' } });
  });

  it('leave out what may be omitted and is missing or empty', () => {
    const filled = fillJson(
      {
        site: { omit_if_empty: '${connectionConfig.site}' },
        missing: { omit_if_empty: '${connectionConfig.other}' },
        empty: { omit_if_empty: '${connectionConfig.empty}' },
        list: [{ omit_if_empty: '${connectionConfig.other}' }, 'kept'],
      },
      source,
    );
    expect(filled).to.deep.equal({ site: 'acme', list: ['kept'] });
  });

  it('leave out a list that may be omitted and has no items left', () => {
    const none = { omit_if_empty: '${connectionConfig.other}' };
    const some = { omit_if_empty: '${connectionConfig.site}' };
    expect(fillJson({ a: { omit_if_empty: [none] }, b: { omit_if_empty: [none, some] }, c: [none] }, source)).to.deep.equal({
      b: ['acme'],
      c: [],
    });
  });

  it('keep lists in lists, empty ones, and null in a list', () => {
    const lists = { nested: [['a'], ['b', ['c']], []], nulls: [null, 'a'] };
    expect(fillJson(lists, source)).to.deep.equal(lists);
  });

  it('fail for a missing value elsewhere, and never read a value as a template', () => {
    expect(() => fillJson({ a: { b: '${connectionConfig.other}' } }, source)).to.throw(TemplateError);
    expect(fillJson({ a: '${connectionConfig.nested}' }, source)).to.deep.equal({ a: '${connectionConfig.site}' });
  });

  it('are sent as typed JSON, and in a form as text; a form takes no lists', () => {
    const params = fillJson({ count: 3, on: true, text: 'a b' }, source);
    expect(encodedBody({ body_format: 'json' }, params)).to.equal('{"count":3,"on":true,"text":"a b"}');
    expect(encodedBody({}, params)).to.equal('count=3&on=true&text=a+b');
    expect(() => encodedBody({}, { list: ['a'] })).to.throw(TemplateError);
  });
});
