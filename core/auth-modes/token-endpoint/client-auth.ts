import type { ClientSettings } from '../auth-mode.ts';

/** Identifies the app to the token endpoint. */
interface ClientAuthentication {
  readonly headers: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
}

/** RFC 6749 §2.3.1. A public client has no secret and sends its ID in the body (§3.2.1). */
export function authenticateClient(client: ClientSettings, method: 'body' | 'basic' = 'body'): ClientAuthentication {
  const { clientId, clientSecret } = client;
  if (clientSecret === '') return { headers: {}, params: { client_id: clientId } };
  if (method === 'body') return { headers: {}, params: { client_id: clientId, client_secret: clientSecret } };
  const pair = `${formEncode(clientId)}:${formEncode(clientSecret)}`;
  return { headers: { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` }, params: {} };
}

/** application/x-www-form-urlencoded, which §2.3.1 requires before base64: a colon in the ID would end it. */
function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
