import { gzipSync } from 'node:zlib';
import type { Behaviour } from './scripted-server/behaviour.ts';

/**
 * REF-05: responses with status 200 that must never be accepted as a token. Their content type is JSON unless `headers` contains
 * another.
 */
export const RESPONSES_WITHOUT_TOKEN: readonly [form: string, body: string | Buffer, headers?: Record<string, string>][] = [
  ['nothing', ''],
  ['white space', ' \r\n\t '],
  ['an HTML page', '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' }],
  ['an HTML page that calls itself JSON', '<html>access_token=abc</html>', { 'content-type': 'application/json' }],
  ['HTML that looks like a form', 'access_token=<b>abc</b>'],
  ['truncated JSON', '{"access_token":"abc","expires_in":36'],
  ['a truncated text', '{"access_token":"ab'],
  ['JSON and rubbish', '{"access_token":"abc"}}'],
  ['two objects', '{"access_token":"abc"}{"access_token":"abd"}'],
  ['single quotes', "{'access_token':'abc'}"],
  ['a comment', '/* */{"access_token":"abc"}'],
  ['a JSON text', '"abc"'],
  ['a number', '42'],
  ['null', 'null'],
  ['true', 'true'],
  ['an array', '[{"access_token":"abc"}]'],
  ['an empty object', '{}'],
  ['an empty array', '[]'],
  ['a null token', '{"access_token":null}'],
  ['a number as token', '{"access_token":12345}'],
  ['a boolean as token', '{"access_token":true}'],
  ['an object as token', '{"access_token":{"value":"abc"}}'],
  ['an array as token', '{"access_token":["abc"]}'],
  ['an empty token', '{"access_token":""}'],
  ['a blank token', '{"access_token":"   "}'],
  ['a token with a line break', '{"access_token":"abc\\r\\nX-Evil: 1"}'],
  ['a token with NUL', '{"access_token":"a\\u0000b"}'],
  ['a token in another case', '{"Access_Token":"abc"}'],
  ['a token inherited from a prototype', '{"__proto__":{"access_token":"abc"}}'],
  ['only a refresh token', '{"refresh_token":"abc"}'],
  ['an error', '{"error":"invalid_scope"}'],
  ['an error beside a token', '{"access_token":"abc","error":"server_error"}'],
  ['an error as a form', 'error=invalid_scope&error_description=no'],
  ['a form without token', 'foo=bar'],
  ['a form with an empty token', 'access_token=&expires_in=3600'],
  ['UTF-16', Buffer.from('{"access_token":"abc"}', 'utf16le')],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ['nesting without end', `{"access_token":"abc","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
  ['10 MB', `{"access_token":"abc","x":"${'x'.repeat(10_000_000)}"}`],
  ['a gzip bomb', gzipSync(`{"access_token":"abc","x":"${'x'.repeat(50_000_000)}"}`), { 'content-encoding': 'gzip' }],
];

/**
 * REF-07: values that servers send as `expires_in`, and the lifetime in seconds that each states; undefined if it is not
 * plausible.
 */
export const LIFETIMES: readonly [form: string, expiresIn: unknown, seconds: number | undefined][] = [
  ['no lifetime', undefined, undefined],
  ['a number', 3600, 3600],
  ['a text', '3600', 3600],
  ['a fraction', 3599.5, 3599.5],
  ['a negative lifetime', -1, undefined],
  ['none at all', 0, undefined],
  ['an absurd lifetime', 1e99, undefined],
  ['a lifetime that is no number', 'NaN', undefined],
];

/** The response to a refresh token that is spent, expired or revoked (RFC 6749 §5.2). */
export const INVALID_GRANT: Behaviour = {
  response: { status: 400, headers: { 'content-type': 'application/json' }, body: '{"error":"invalid_grant"}' },
};
