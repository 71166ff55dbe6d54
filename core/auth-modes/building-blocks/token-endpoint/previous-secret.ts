import type { OutboundResponse } from '../../../kit/outbound.ts';
import type { ClientSettings, ModeInput } from '../../auth-mode.ts';
import { readResponseBody } from './response-body.ts';
import { errorCode } from './token-failure.ts';

/**
 * Sends a request as the integration's app. If the provider does not know a new client secret or private key yet, the request is
 * repeated with the previous one. That is safe, because a server that refuses the client has not used up the grant (RFC 6749
 * §5.2).
 */
export async function withPreviousSecret(
  { now }: { readonly now: () => Date },
  input: ModeInput,
  send: (input: ModeInput) => Promise<OutboundResponse>,
): Promise<OutboundResponse> {
  const response = await send(input);
  const { previousSecret } = input.client;
  if (previousSecret === undefined || now().getTime() >= Date.parse(previousSecret.until)) return response;
  if (!isClientUnknown(response)) return response;
  const { secret: clientSecret, privateKey = input.client.privateKey } = previousSecret;
  const client = withSecret(input.client, { clientSecret, ...(privateKey !== undefined && { privateKey }) });
  return send({ ...input, client });
}

/** Returns the client with another ID or secret, and without its previous secret, which would not match them. */
export function withSecret(
  { previousSecret: _, ...client }: ClientSettings,
  own: { readonly clientId?: string; readonly clientSecret?: string; readonly privateKey?: string },
): ClientSettings {
  return { ...client, ...own };
}

function isClientUnknown({ status, body, headers }: OutboundResponse): boolean {
  if (status !== 400 && status !== 401) return false;
  return errorCode(readResponseBody(body, headers['content-type']))?.toLowerCase() === 'invalid_client';
}
