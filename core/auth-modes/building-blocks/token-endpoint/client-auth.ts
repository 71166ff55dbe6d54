import type { EffectiveDefinition } from '#contract';
import { newSecret } from '../../../kit/random-id.ts';
import { fillText, TemplateError } from '../../../kit/template.ts';
import { type ModeInput, TokenFailure } from '../../auth-mode.ts';
import { providerValues } from '../provider-template.ts';
import { certificateThumbprint } from '../signed-jwt/fingerprint.ts';
import { signJwt, timeClaims } from '../signed-jwt/sign-jwt.ts';
import { readSigningKey } from '../signed-jwt/signing-key.ts';
import { SigningKeyError } from '../signed-jwt/signing-key-error.ts';

/** The value of `client_assertion_type` (RFC 7521 §4.2). */
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const LIFETIME_MS = 300_000;

/** The headers and parameters that authenticate the app to the token endpoint. */
interface ClientAuthentication {
  readonly headers: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
}

interface Endpoint {
  readonly url: URL;
  readonly now: Date;
}

/**
 * Authenticates the app (RFC 6749 §2.3). A public client, which has no secret, sends its ID in the body (§3.2.1), and so does a
 * client that authenticates by its certificate (RFC 8705 §2).
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

/**
 * Encodes a text as application/x-www-form-urlencoded, which §2.3.1 requires before base64. An unencoded colon would end the
 * client ID.
 */
function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

/**
 * Creates a JWT that authenticates the app for this request only (RFC 7523 §2.2 and §3). The client ID is sent as well, since
 * some servers find the app's key by it.
 *
 * @throws TokenFailure if there is no key that can sign; TemplateError if a value of the audience or the key ID is missing or not
 *   allowed
 */
async function clientAssertion(
  input: ModeInput,
  definition: EffectiveDefinition,
  { url, now }: Endpoint,
): Promise<Record<string, string>> {
  const { clientId, privateKey, certificate } = input.client;
  const { algorithm = 'RS256', audience, key_id } = definition.client_assertion ?? {};
  if (privateKey === undefined) throw unsigned('the app has no private key');
  try {
    const key = readSigningKey(privateKey, { algorithm });
    const kid = key_id === undefined ? undefined : optionalText(key_id, input);
    const header = {
      ...(kid !== undefined && { kid }),
      ...(certificate !== undefined && { 'x5t#S256': certificateThumbprint(certificate, key) }),
    };
    const aud = audience === undefined ? url.href : fillText(audience, providerValues(input));
    const claims = { iss: clientId, sub: clientId, aud, jti: newSecret(), ...timeClaims(now, LIFETIME_MS) };
    const assertion = await signJwt({ header, claims }, key);
    return { client_id: clientId, client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
  } catch (cause) {
    throw cause instanceof SigningKeyError ? unsigned(`the key cannot be used: ${cause.message}`) : cause;
  }
}

function optionalText(template: string, input: ModeInput): string | undefined {
  try {
    return fillText(template, providerValues(input)) || undefined;
  } catch (error) {
    if (error instanceof TemplateError && error.reason === 'missing') return undefined;
    throw error;
  }
}

/** Returns a `transient` failure, not a `refused` one, since a wrong setting can be corrected without the user. */
function unsigned(why: string): TokenFailure {
  return new TokenFailure('transient', `the client assertion cannot be signed: ${why}`);
}
