import { createPrivateKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { ServiceError } from '../../errors.ts';
import type { ClientSettings } from '../auth-mode.ts';

const ALGORITHM = 'RS256';
/** Providers reject a JWT issued in the future, or valid for more than ten minutes. */
const ISSUED_AGO_SECONDS = 60;
const LIFETIME_SECONDS = 540;

/** A JWT (RFC 7519) that authenticates the app, signed with its private key. @throws ServiceError `missing_client_id` */
export function appProof(client: ClientSettings, now: Date): string {
  const { appId = client.clientId, privateKey = client.clientSecret } = client;
  const key = readKey(privateKey);
  if (appId === '' || key === undefined) {
    const message = "the integration needs its app's ID and the PEM of its private key (or as client ID and client secret)";
    throw new ServiceError('missing_client_id', message);
  }
  const seconds = Math.floor(now.getTime() / 1000);
  const claims = { iss: appId, iat: seconds - ISSUED_AGO_SECONDS, exp: seconds + LIFETIME_SECONDS };
  return jwt.sign(claims, key, { algorithm: ALGORITHM });
}

/** PKCS #1 or PKCS #8, possibly with literal `\n` from an environment variable. Undefined for anything else. */
function readKey(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem.replaceAll('\\n', '\n'));
    return key.asymmetricKeyType === 'rsa' ? key : undefined;
  } catch {
    return undefined;
  }
}
