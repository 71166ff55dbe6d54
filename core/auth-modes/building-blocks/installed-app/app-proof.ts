import { ServiceError } from '../../../errors.ts';
import type { ClientSettings } from '../../auth-mode.ts';
import { signJwt, timeClaims } from '../signed-jwt/sign-jwt.ts';
import { readSigningKey, type SigningKey } from '../signed-jwt/signing-key.ts';
import { SigningKeyError } from '../signed-jwt/signing-key-error.ts';

/** The lifetime of the JWT in milliseconds. Providers reject a JWT that is valid for more than ten minutes. */
const LIFETIME_MS = 600_000;

/**
 * Returns a JWT (RFC 7519) that authenticates the app, signed with its private key.
 *
 * @throws ServiceError `missing_client_id` if the integration lacks the app's ID or a usable private key
 */
export async function appProof(client: ClientSettings, now: Date): Promise<string> {
  const { appId = client.clientId, privateKey = client.clientSecret } = client;
  const key = readKey(privateKey);
  if (appId === '' || key === undefined) {
    const message = "the integration needs its app's ID and the PEM of its private key (or as client ID and client secret)";
    throw new ServiceError('missing_client_id', message);
  }
  return signJwt({ claims: { iss: appId, ...timeClaims(now, LIFETIME_MS) } }, key);
}

/** Reads the private key; undefined if it is not a private RSA key. */
function readKey(pem: string): SigningKey | undefined {
  try {
    return readSigningKey(pem, { algorithm: 'RS256' });
  } catch (error) {
    if (error instanceof SigningKeyError) return undefined;
    throw error;
  }
}
