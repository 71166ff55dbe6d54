import { expect } from 'chai';
import { checkFields, type FormField, type JsonObject, withDefaults } from '#contract';

function field(changes: Partial<FormField> = {}): FormField {
  return { type: 'string', title: 'Host', ...changes };
}

function faultOf(changes: Partial<FormField>, value: JsonObject[string]): string | undefined {
  return checkFields({ x: field(changes) }, { x: value })[0]?.code;
}

const GOOD: readonly [string, Partial<FormField>, string][] = [
  ['a host name', { format: 'hostname' }, 'gitlab.example.com'],
  ['a host of one label', { format: 'hostname' }, 'tracker'],
  ['an address', { format: 'uri' }, 'https://api.example.com:8443/v1?a=b'],
  ['a UUID', { format: 'uuid' }, '11223344-A1b2-3b33-c444-def123456789'],
  ['an e-mail address', { format: 'email' }, 'ada@example.com'],
  ['one of the choices', { enum: ['eu', 'us'] }, 'us'],
  ['a pattern, wholly', { pattern: '[a-z]+' }, 'acme'],
  ['a pattern at its greatest length', { pattern: '[a-z]+' }, 'x'.repeat(255)],
  ['a key of several lines', {}, '-----BEGIN KEY-----\nabc\n-----END KEY-----'],
];

const BAD: readonly [string, Partial<FormField>, JsonObject[string], string][] = [
  ['a port after a host name', { format: 'hostname' }, 'example.com:443', 'invalid_format'],
  ['a user before a host name', { format: 'hostname' }, 'good@evil.example', 'invalid_format'],
  ['a path after a host name', { format: 'hostname' }, 'example.com/x', 'invalid_format'],
  ['an IP address as a host name', { format: 'hostname' }, '169.254.169.254', 'invalid_format'],
  ['a line break after a host name', { format: 'hostname' }, 'example.com\n', 'invalid_format'],
  ['a scheme other than http(s)', { format: 'uri' }, 'file:///etc/passwd', 'invalid_format'],
  ['a user in an address', { format: 'uri' }, 'https://good@evil.example', 'invalid_format'],
  ['a fragment in an address', { format: 'uri' }, 'https://example.com/#x', 'invalid_format'],
  ['a backslash in an address', { format: 'uri' }, 'https://good.example\\@evil.example', 'invalid_format'],
  ['no UUID', { format: 'uuid' }, 'common', 'invalid_format'],
  ['no e-mail address', { format: 'email' }, 'ada@example', 'invalid_format'],
  ['no choice', { enum: ['eu', 'us'] }, 'EU', 'invalid_value'],
  ['a value that matches a pattern in part', { pattern: '[a-z]+' }, 'acme.evil', 'invalid_format'],
  ['half an alternative of a pattern', { pattern: 'a|b' }, 'ax', 'invalid_format'],
  ['a NUL', {}, 'a\u0000b', 'invalid_format'],
  ['a number', {}, 7, 'invalid_type'],
  ['a value beyond 16,384 characters', {}, 'x'.repeat(16_385), 'too_big'],
  ['a value beyond 255 characters where there is a pattern', { pattern: '[a-z]+' }, 'x'.repeat(256), 'too_big'],
  ['an empty required value', {}, '', 'required'],
];

describe('checkFields', () => {
  for (const [name, changes, value] of GOOD) {
    it(`accepts ${name}`, () => expect(faultOf(changes, value)).to.equal(undefined));
  }

  for (const [name, changes, value, code] of BAD) {
    it(`refuses ${name}`, () => expect(faultOf(changes, value)).to.equal(code));
  }

  it('names what is missing and what is unknown', () => {
    const fields = { host: field(), region: field({ optional: true }) };
    expect(checkFields(fields, { hots: 'x' }).map(({ code, path }) => [code, path])).to.deep.equal([
      ['unrecognized_key', ['hots']],
      ['required', ['host']],
    ]);
  });

  it('accepts unknown members of stored values on request', () => {
    expect(checkFields({ host: field() }, { host: 'a', 'team.id': 'T1' }, { allowUnknown: true })).to.deep.equal([]);
  });

  it('does not require fields that have a default, are found automatically, or are not visible', () => {
    const fields = {
      mode: field({ default_value: 'cloud' }),
      baseUrl: field({ automated: true }),
      site: field({ visible_when: { field: 'mode', equals: 'server' } }),
    };
    expect(checkFields(fields, {})).to.deep.equal([]);
    expect(checkFields(fields, { mode: 'server' }).map(({ path }) => path)).to.deep.equal([['site']]);
  });

  it('explains a wrong format with the words of the definition, never with the value', () => {
    const [own] = checkFields({ x: field({ pattern: '[a-z]+', pattern_message: 'Letters only' }) }, { x: 'SECRET' });
    const [made] = checkFields({ x: field({ pattern: '[a-z]+', example: 'acme' }) }, { x: 'SECRET' });
    expect(own?.message).to.equal('Letters only');
    expect(made?.message).to.equal('Host has the wrong format. Example: acme');
  });

  it('takes no member of Object.prototype for a field', () => {
    expect(checkFields({}, JSON.parse('{"constructor":"x","__proto__":"y"}')).map(({ code }) => code)).to.deep.equal([
      'unrecognized_key',
      'unrecognized_key',
    ]);
  });
});

describe('a field that another one replaces', () => {
  const fields = { url: field({ title: 'URL', optional_with: 'issuer' }), issuer: field({ optional: true }) };

  it('is required unless the other one has a value', () => {
    for (const values of [{}, { issuer: '' }, { issuer: null }]) {
      expect(checkFields(fields, values)).to.deep.equal([{ code: 'required', message: 'URL is required', path: ['url'] }]);
    }
    expect(checkFields(fields, { issuer: 'https://example.com' })).to.deep.equal([]);
  });
});

describe('withDefaults', () => {
  it('fills in missing and empty values, and keeps the others', () => {
    const fields = { host: field({ default_value: 'gitlab.com' }), region: field() };
    expect(withDefaults(fields, { host: '', 'team.id': 'T1' })).to.deep.equal({ host: 'gitlab.com', 'team.id': 'T1' });
    expect(withDefaults(fields, { host: 'gitlab.example.com' })).to.deep.equal({ host: 'gitlab.example.com' });
  });
});
