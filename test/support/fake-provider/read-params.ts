import type { LedgerEntry } from '../scripted-server/ledger.ts';

/** Returns the OAuth parameters in a body, which is read as a form unless its content type is JSON. Invalid JSON has none. */
export function readParams({ headers, body }: LedgerEntry): Readonly<Record<string, string>> {
  const text = body.toString('utf8');
  return bodyFormat(headers['content-type']) === 'json' ? readJson(text) : Object.fromEntries(new URLSearchParams(text));
}

export function bodyFormat(contentType: string | undefined): 'form' | 'json' | 'unknown' {
  if (contentType?.startsWith('application/json')) return 'json';
  if (contentType?.startsWith('application/x-www-form-urlencoded')) return 'form';
  return 'unknown';
}

function readJson(text: string): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(JSON.parse(text)).map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}

export interface ClientCredentials {
  readonly by: 'basic' | 'body';
  readonly id: string;
  readonly secret: string;
}

/** Reads the client authentication (RFC 6749 §2.3.1). In the header, ID and secret are form-encoded before base64. */
export function readClient(authorization: string | undefined, params: Readonly<Record<string, string>>): ClientCredentials {
  const basic = authorization?.match(/^Basic (.+)$/i)?.[1];
  if (basic === undefined) return { by: 'body', id: params['client_id'] ?? '', secret: params['client_secret'] ?? '' };
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':').map(decodeForm);
  return { by: 'basic', id, secret };
}

function decodeForm(text: string): string {
  return new URLSearchParams(`v=${text}`).get('v') ?? '';
}
