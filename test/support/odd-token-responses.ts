import type { Behaviour } from './scripted-server/behaviour.ts';

type Members = Readonly<Record<string, unknown>>;

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** A field that responses contain in addition to the tokens. Its non-ASCII letter depends on the charset of the body. */
const NAME = { display_name: 'Zoë' };

/** Responses that contain tokens, but deviate from the form that RFC 6749 requires. */
export const ODD_RESPONSES: readonly [form: string, behaviour: Behaviour][] = [
  ['Latin-1, declared', written((members) => Buffer.from(json(members), 'latin1'), `${JSON_TYPE}; charset=ISO-8859-1`)],
  ['Latin-1, not declared', written((members) => Buffer.from(json(members), 'latin1'))],
  ['Latin-1 that calls itself UTF-8', written((members) => Buffer.from(json(members), 'latin1'), `${JSON_TYPE};charset="utf-8"`)],
  ['UTF-8 that calls itself UTF-16', written((members) => Buffer.from(json(members)), `${JSON_TYPE}; charset=utf-16`)],
  ['UTF-8 in a charset that nobody knows', written((members) => Buffer.from(json(members)), `${JSON_TYPE}; charset=utf8mb4`)],
  ['UTF-16, declared', written((members) => Buffer.from(json(members), 'utf16le'), `${JSON_TYPE}; charset=utf-16le`)],
  ['UTF-16 with a byte order mark', written((members) => Buffer.from(`\uFEFF${json(members)}`, 'utf16le'))],
  ['big-endian UTF-16 with a byte order mark', written((members) => Buffer.from(`\uFEFF${json(members)}`, 'utf16le').swap16())],
  ['line breaks after the tokens', written((members) => Buffer.from(json(padded(members, '\r\n'))))],
  ['raw line breaks after the tokens', written((members) => Buffer.from(json(padded(members, '\n')).replaceAll('\\n', '\n')))],
  ['a form with a raw blank', written((members) => Buffer.from(`scope=read write&${form(members)}`), FORM_TYPE)],
  ['a form that ends with a line break', written((members) => Buffer.from(`${form(members)}\r\n`), FORM_TYPE)],
  ['a form with raw quotes and brackets', written((members) => Buffer.from(`${form(members)}&name="<Zo>"`), FORM_TYPE)],
  ['a form in Latin-1', written((members) => Buffer.from(`${form(members)}&name=Zoë`, 'latin1'), FORM_TYPE)],
  ['a lifetime in words', written((members) => Buffer.from(json({ ...members, expires_in: 'one hour' })))],
  ['an error object that reports success', { members: { error: { code: 'ok', message: '' } } }],
];

/** Refusals of a refresh that mean what RFC 6749 calls `invalid_grant`: the grant has ended. */
export const REVOCATIONS: readonly [form: string, status: number, body: object][] = [
  ['invalid_grant', 400, { error: 'invalid_grant' }],
  ['invalid_grant in capitals', 400, { error: 'INVALID_GRANT' }],
  ['invalid_grant with status 401', 401, { error: 'invalid_grant' }],
  ['invalid_grant inside an object', 400, { error: { code: 'invalid_grant', message: 'no' } }],
  ['invalid_grant inside an object, with status 200', 200, { error: { code: 'Invalid_Grant' } }],
  ['bad_refresh_token with status 200', 200, { error: 'bad_refresh_token' }],
  ['invalid_token with status 400', 400, { error: 'invalid_token' }],
];

function written(write: (members: Members) => Buffer, type = JSON_TYPE): Behaviour {
  return {
    write: (members) => ({ status: 200, headers: { 'content-type': type }, body: write({ ...members, ...NAME }) }),
  };
}

function json(members: Members): string {
  return JSON.stringify(members);
}

function form({ display_name: _, ...members }: Members): string {
  return Object.entries(members)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
}

function padded(members: Members, padding: string): Members {
  const { access_token: accessToken, refresh_token: refreshToken } = members;
  return { ...members, access_token: `${accessToken}${padding}`, refresh_token: `${refreshToken}${padding}` };
}
