import { expect } from 'chai';
import { readTags } from '../../../core/connections/tags.ts';
import { readJsonObject } from '../../../ui/dashboard/components/json-object.ts';
import { draftOf, faultsIn, tagsIn, withoutTag, withTagTyped } from '../../../ui/dashboard/components/tags.ts';

const TEN = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`tag${index}`, 'x']));

describe('tags that are typed', () => {
  const CASES = {
    'a key and a value': [{}, 'organization_id', 'acme', undefined],
    'a key in capitals': [{}, 'Plan', 'pro', undefined],
    'a key that begins with a digit': [{}, '1a', 'x', 'tag_key_invalid'],
    'a key with a blank': [{}, 'a b', 'x', 'tag_key_invalid'],
    'the Kelvin sign': [{}, '\u212a', 'x', 'tag_key_invalid'],
    'a long key': [{}, 'a'.repeat(65), 'x', 'tag_key_invalid'],
    'the longest key': [{}, 'a'.repeat(64), 'x', undefined],
    'no value': [{}, 'a', '', 'tag_value_invalid'],
    'a long value': [{}, 'a', 'x'.repeat(256), 'tag_value_invalid'],
    'no e-mail': [{}, 'end_user_email', 'ada', 'tag_email_invalid'],
    'an e-mail': [{}, 'end_user_email', 'ada@northwind.example', undefined],
    'an eleventh tag': [TEN, 'a', 'x', 'tag_limit'],
  } as const;
  for (const [name, [tags, key, value, fault]] of Object.entries(CASES))
    it(`${name}: are validated like by the service`, () => {
      const draft = { tags, key, value };
      const faults = faultsIn(draft);
      expect(faults.key ?? faults.value).to.equal(fault);
      const read = () => readTags({ ...tags, [key]: value }, { code: 'invalid_body', path: [] });
      if (fault === undefined) expect(read()).to.deep.equal(tagsIn(draft));
      else expect(read).to.throw();
      expect(tagsIn(draft) === undefined).to.equal(fault !== undefined);
    });

  it('are unique regardless of case; a new value replaces the old one, even among ten tags', () => {
    expect(tagsIn({ tags: { plan: 'pro', a: 'b' }, key: ' PLAN', value: 'free ' })).to.deep.equal({ plan: 'free', a: 'b' });
    expect(Object.keys(tagsIn({ tags: TEN, key: 'tag3', value: 'y' }) ?? {})).to.deep.equal(Object.keys(TEN));
  });

  it('stay unchanged while nothing is typed', () => {
    expect(tagsIn(draftOf(TEN))).to.equal(TEN);
    expect(faultsIn({ tags: TEN, key: ' ', value: '' })).to.deep.equal({});
  });

  it('can be edited again, which first adds the typed tag, and removed', () => {
    const draft = { tags: { plan: 'pro' }, key: 'Region', value: 'eu' };
    expect(withTagTyped(draft, 'plan')).to.deep.equal({ tags: { plan: 'pro', region: 'eu' }, key: 'plan', value: 'pro' });
    expect(withTagTyped({ ...draft, value: '' }, 'plan')).to.deep.equal({
      ...draftOf({ plan: 'pro' }),
      key: 'plan',
      value: 'pro',
    });
    expect(withoutTag(draft, 'plan')).to.deep.equal({ ...draft, tags: {} });
  });
});

describe('JSON that is typed', () => {
  it('is an object, or is rejected with a reason', () => {
    expect(readJsonObject('{"a": [1]}')).to.deep.equal({ value: { a: [1] } });
    const long = '{"id":17841405822304915}';
    expect(JSON.stringify((readJsonObject(long) as { value: object }).value), 'what is sent').to.equal(long);
    for (const text of ['[]', 'null', '1', '"{}"']) expect(readJsonObject(text)).to.deep.equal({ fault: 'json_not_object' });
    for (const text of ['', '{a: 1}', '{"a": 1,}']) expect(readJsonObject(text)).to.include({ fault: 'json_invalid' });
  });
});
