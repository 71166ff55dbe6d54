import { expect } from 'chai';
import { checkSendable } from '../../../core/auth-modes/sendable.ts';
import { providerDefinition } from '../../../core/catalogue/provider-definition.ts';

const FIELD = { type: 'string', title: 'Value' };
const define = (members: object) =>
  providerDefinition.parse({
    display_name: 'Example',
    docs: 'https://docs.example.com',
    auth_mode: 'API_KEY',
    ...members,
    proxy: { base_url: 'https://api.example', ...('proxy' in members && (members.proxy as object)) },
  });
const refused = (definition: ReturnType<typeof define>, values: Readonly<Record<string, string>>) =>
  checkSendable(definition, values).map(({ path }) => path[0]);

describe('credentials that fit into no header', () => {
  it('are refused with line breaks in a key, unless its field has several lines', () => {
    for (const key of ['a\nb', 'a\r\nb', 'a\r', 'a\n']) expect(refused(define({}), { apiKey: key })).to.deep.equal(['apiKey']);
    expect(refused(define({}), { apiKey: 'ab' })).to.deep.equal([]);
    const withLines = define({ credentials: { apiKey: { ...FIELD, multiline: true } } });
    expect(refused(withLines, { apiKey: 'a\nb' })).to.deep.equal([]);
  });

  it('are refused with typographic quotes and zero-width characters, also in a field of several lines', () => {
    for (const key of ['“ab”', 'a\u200bb', 'a\u0000b', 'ключ'])
      expect(refused(define({}), { apiKey: key })).to.deep.equal(['apiKey']);
    const withLines = define({ credentials: { apiKey: { ...FIELD, multiline: true } } });
    expect(refused(withLines, { apiKey: 'a\n“b”' })).to.deep.equal(['apiKey']);
    expect(refused(define({}), { apiKey: 'clé' })).to.deep.equal([]);
  });

  it('are refused only in values that a header contains', () => {
    const headers = { 'x-user': 'u-${credentials.username}', 'x-login': 'base64(${credentials.password})' };
    const definition = define({ auth_mode: 'BASIC', proxy: { headers } });
    expect(refused(definition, { username: 'a\nb', password: 'a\nb' })).to.deep.equal(['username']);
    expect(refused(define({ auth_mode: 'BASIC' }), { username: 'a\nb', password: 'a\nb' })).to.deep.equal([]);
  });
});
