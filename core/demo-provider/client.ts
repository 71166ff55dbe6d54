import type { SharedApp } from '../catalogue/catalogue.ts';
import type { KeyRing } from '../kit/key-ring.ts';

export const CLIENT_ID = 'sandbox';
const STATEMENT = ['sandbox', 'client secret'] as const;

/**
 * Returns the app that every integration of the sandbox has. Its secret also signs the sandbox's webhooks. It is derived whenever
 * it is read, so that sender and receiver have the same one after a rotation of the encryption keys.
 */
export function demoApp(keys: KeyRing): SharedApp {
  return {
    clientId: CLIENT_ID,
    get clientSecret() {
      return keys.authenticate(STATEMENT).toString('base64url');
    },
    scopes: [],
  };
}

/**
 * Returns whether the secret is the app's. While keys are being rotated, a secret derived from another key of the ring is
 * accepted as well.
 */
export function isDemoSecret(keys: KeyRing, secret: string): boolean {
  return keys.isAuthentic(Buffer.from(secret, 'base64url'), STATEMENT);
}
