import { expect } from 'chai';
import { textOfFault } from '../../../ui/kit/fields/field-texts.ts';
import { faultsFrom, isTyped, isVisible } from '../../../ui/kit/fields/form.ts';
import { faultIn, isUnusual, payloadOf } from '../../../ui/kit/fields/form-rules.ts';
import { tidy } from '../../../ui/kit/fields/tidy.ts';
import type { Field } from '../../../ui/kit/wire.ts';

const SITE: Field = { path: ['params', 'site'], title: 'Site', format: 'hostname', suffix: '.acme.test' };
const KEY: Field = { path: ['credentials', 'key'], title: 'API key', secret: true };

describe('what was typed into a field', () => {
  for (const [what, field, text, value, kept] of [
    ['a whole address', SITE, 'https://foo.acme.test/x?y', 'foo', 'foo'],
    ['a host with the suffix', SITE, ' foo.acme.test ', 'foo', 'foo'],
    ['a host of somebody else', SITE, 'foo.example.com', 'foo.example.com', undefined],
    ['a path after a host', SITE, 'foo.acme.test/x', 'foo', 'foo'],
    ['the suffix alone', SITE, '.acme.test', '.acme.test', undefined],
    ['blanks around it', { ...SITE, format: undefined }, ' foo ', 'foo', undefined],
    ['a prefix', { path: ['params', 'a'], title: 'A', prefix: 'https://' }, 'https://foo', 'foo', 'foo'],
    ['blanks around a password', { ...KEY, verbatim: true }, ' a b ', ' a b ', undefined],
  ] as readonly (readonly [string, Field, string, string, string | undefined])[]) {
    it(`is normalized: ${what}`, () => {
      const tidied = tidy(field, text);
      expect(tidied.value).to.equal(value);
      expect(tidied.kept).to.equal(kept);
    });
  }

  for (const [what, field, value, code] of [
    ['nothing', KEY, '', 'required'],
    ['nothing in an optional field', { ...KEY, optional: true }, '', undefined],
    ['blanks', SITE, '  ', 'required'],
    ['no host', SITE, 'a b', 'invalid_format'],
    ['not one of the list', { ...SITE, enum: ['a'] }, 'b', 'invalid_value'],
    ['too much', KEY, 'x'.repeat(16_385), 'too_big'],
    ['another form than the pattern', { ...KEY, pattern: '[a-z]+' }, 'A', 'invalid_format'],
  ] as readonly (readonly [string, Field, string, string | undefined])[]) {
    it(`is checked: ${what}`, () => {
      expect(faultIn(field, { [field.path.join('.')]: value })?.code).to.equal(code);
    });
  }
});

describe('a form', () => {
  const PLAN: Field = { path: ['params', 'plan'], title: 'Plan', enum: ['free', 'paid'], default_value: 'free' };
  const SEATS: Field = { path: ['params', 'seats'], title: 'Seats', visible_when: { field: 'plan', equals: 'paid' } };
  const FIELDS = [PLAN, SEATS, KEY];

  it('sends what is shown and filled in, by group', () => {
    const values = { 'params.plan': 'free', 'params.seats': '3', 'credentials.key': ' a ' };
    expect(payloadOf(FIELDS, values)).to.deep.equal({ params: { plan: 'free' }, credentials: { key: 'a' } });
    expect(isVisible(SEATS, { ...values, 'params.plan': 'paid' })).to.equal(true);
    expect(faultIn(SEATS, { 'params.plan': 'free' })).to.equal(undefined);
  });

  it('accepts either of two alternative fields', () => {
    const token: Field = { path: ['credentials', 'token'], title: 'Token', optional_with: 'key' };
    expect(faultIn(token, { 'credentials.key': 'a' })).to.equal(undefined);
    expect(faultIn(token, { 'credentials.key': '' })?.code).to.equal('required');
  });

  it('counts as edited only if a value differs from its default', () => {
    expect(isTyped(FIELDS, { 'params.plan': 'free' })).to.equal(false);
    expect(isTyped(FIELDS, { 'params.plan': 'paid' })).to.equal(true);
  });

  it('warns of an unusual value', () => {
    const hinted: Field = { ...KEY, hint: 'sk_.*' };
    expect(isUnusual(hinted, { 'credentials.key': 'pk_1' })).to.equal(true);
    expect(isUnusual(hinted, { 'credentials.key': 'sk_1' })).to.equal(false);
    expect(isUnusual(hinted, { 'credentials.key': '' })).to.equal(false);
  });

  it('shows the service’s errors for its own fields only', () => {
    const found = [
      { path: ['credentials', 'key'], code: 'invalid_type', message: 'a' },
      { path: ['params', 'hidden'], code: 'required', message: 'b' },
    ];
    expect(faultsFrom(FIELDS, found)).to.deep.equal({ 'credentials.key': { code: 'invalid_format', message: 'a' } });
  });

  it('describes an error by the kind of field, or in the words of the definition', () => {
    const say = (field: Field) =>
      textOfFault(field, { code: 'invalid_format' }, (key, values) => [key, ...Object.values(values ?? {})].join(' '));
    expect(say(SITE)).to.equal('fault_hostname');
    expect(say({ ...KEY, pattern: 'a', pattern_message: 'Starts with a.' })).to.equal('Starts with a.');
    expect(say({ ...KEY, pattern: 'a', example: 'aaa' })).to.equal('fault_pattern_example API key aaa');
  });
});
