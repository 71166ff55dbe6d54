import { expect } from 'chai';
import type { FormField } from '#contract';
import { filledFromParams } from '../../../../core/auth-modes/building-blocks/filled-from-params.ts';
import { fillJson, fillProviderUrl, fillTexts } from '../../../../core/auth-modes/building-blocks/provider-template.ts';
import { encodedBody } from '../../../../core/auth-modes/building-blocks/token-endpoint/token-call.ts';
import { ServiceError } from '../../../../core/errors.ts';
import { TemplateError } from '../../../../core/kit/template.ts';
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

describe('a host that is filled from stored credentials', () => {
  const field: FormField = { type: 'string', title: 'Company', pattern: '[a-z]+' };
  const fill = (company: string | undefined, given = field) =>
    fillProviderUrl('https://${credentials.company}.example.com/${credentials.path}', {
      ...modeInput({ credentials: { company: given } }),
      credentials: { 'credentials.path': 'A', ...(company !== undefined && { 'credentials.company': company }) },
    });

  it('is checked against the field as the definition declares it now', () => {
    expect(fill('acme').href).to.equal('https://acme.example.com/A');
    expect(() => fill('acme-2'))
      .to.throw(TemplateError)
      .with.property('reason', 'invalid');
    expect(() => fill('acme', { ...field, pattern: '[b-z]+' })).to.throw(TemplateError);
    expect(() => fill(undefined))
      .to.throw(TemplateError)
      .with.property('reason', 'missing');
  });
});

describe('maps', () => {
  const field = { type: 'string' as const, title: 'Region', enum: ['eu', 'us'] };
  const rows = { eu: { api: 'https://eu.example', name: 'Europe' }, us: { api: 'https://us.example', name: 'America' } };
  const ofConnection = { connection_config: { region: field }, maps: { region: rows } };

  function inputOf(region?: string, changes: object = {}) {
    return modeInput({ ...ofConnection, ...changes }, { connectionConfig: region === undefined ? {} : { region } });
  }

  it('give several values for one value of a field', () => {
    expect(fillProviderUrl('${maps.region.api}/token', inputOf('eu')).href).to.equal('https://eu.example/token');
    expect(fillTexts({ name: '${maps.region.name}' }, inputOf('us'))).to.deep.equal({ name: 'America' });
  });

  it('follow the default of the field, and settings of the integration', () => {
    const withDefault = { connection_config: { region: { ...field, default_value: 'us' } } };
    expect(fillProviderUrl('${maps.region.api}', inputOf(undefined, withDefault)).host).to.equal('us.example');
    const ofIntegration = { connection_config: undefined, integration_config: { region: field } };
    const input = { ...inputOf('us', ofIntegration), integrationConfig: { region: 'eu' } };
    expect(fillProviderUrl('${maps.region.api}', input).host).to.equal('eu.example');
  });

  for (const [what, region] of [
    ['a value that is in no map', 'asia'],
    ['a property of every object', 'constructor'],
    ['no value', undefined],
  ] as const) {
    it(`give nothing for ${what}, and the error names the field`, () => {
      for (const template of ['${maps.region.api}/token', 'https://example.com/${maps.region.name}']) {
        const fill = () => filledFromParams('the URL', () => fillProviderUrl(template, inputOf(region)));
        const failure = failureOf(fill);
        expect(failure).to.be.instanceOf(ServiceError).and.to.include({ code: 'invalid_query_params' });
        expect(failure).to.have.nested.property('details[0].path').that.deep.equals(['params', 'region']);
      }
    });
  }

  it('do not read the value of a field as a template', () => {
    expect(() => fillProviderUrl('${maps.region.api}', inputOf('${maps.region.api}'))).to.throw(TemplateError);
  });

  function failureOf(work: () => unknown): unknown {
    try {
      return work();
    } catch (error) {
      return error;
    }
  }
});
