import type { ClientSettings } from '../auth-mode.ts';

/** What a call of the token endpoint carries to say which app is calling. */
interface ClientProof {
  readonly headers: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
}

/** RFC 6749 §2.3.1. A public client has no secret to show and names itself in the body (§3.2.1). */
export function proveClient(client: ClientSettings, method: 'body' | 'basic' = 'body'): ClientProof {
  const { clientId, clientSecret } = client;
  if (clientSecret === '') return { headers: {}, params: { client_id: clientId } };
  if (method === 'body') return { headers: {}, params: { client_id: clientId, client_secret: clientSecret } };
  const pair = `${formEncode(clientId)}:${formEncode(clientSecret)}`;
  return { headers: { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` }, params: {} };
}

/** application/x-www-form-urlencoded, which §2.3.1 asks for before base64: a colon in the ID would end it. */
function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
