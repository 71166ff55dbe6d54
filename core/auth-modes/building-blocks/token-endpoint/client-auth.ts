import type { EffectiveDefinition } from '#contract';
import type { ModeInput } from '../../auth-mode.ts';
import { clientAssertion } from './client-assertion.ts';

/** Identifies the app to the token endpoint. */
interface ClientAuthentication {
  readonly headers: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
}

interface Endpoint {
  readonly url: URL;
  readonly now: Date;
}

/**
 * RFC 6749 §2.3. A public client has no secret and sends its ID in the body (§3.2.1), as one does that authenticates by its
 * certificate (RFC 8705 §2).
 *
 * @throws TokenFailure if an assertion cannot be signed
 */
export async function authenticateClient(
  input: ModeInput,
  definition: EffectiveDefinition,
  { url, now }: Endpoint,
): Promise<ClientAuthentication> {
  const { clientId, clientSecret } = input.client;
  const method = definition.token_request_auth_method ?? 'body';
  if (method === 'private_key_jwt') return { headers: {}, params: await clientAssertion(input, definition, { url, now }) };
  if (clientSecret === '' || method === 'tls_client_auth') return { headers: {}, params: { client_id: clientId } };
  if (method === 'body') return { headers: {}, params: { client_id: clientId, client_secret: clientSecret } };
  const pair = `${formEncode(clientId)}:${formEncode(clientSecret)}`;
  return { headers: { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` }, params: {} };
}

/** application/x-www-form-urlencoded, which §2.3.1 requires before base64: a colon in the ID would end it. */
function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
