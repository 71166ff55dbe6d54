import { newKeyRingText } from '../../core/kit/key-ring.ts';
import { newApiKey } from '../../core/kit/random-id.ts';
import { rememberSecret } from './canaries.ts';

export interface ServiceEnv extends Record<string, string> {
  readonly SVC_ENCRYPTION_KEYS: string;
  readonly SVC_BOOTSTRAP_API_KEY: string;
  readonly SVC_OUTBOUND_ALLOW: string;
}

/**
 * Returns the variables that all instances of one installation share: keys, and permission to call loopback addresses. The caller
 * must add `DATABASE_URL` or `SVC_DATA_DIR`.
 */
export function newServiceEnv(): ServiceEnv {
  const keys = newKeyRingText();
  rememberSecret('encryption key', keys.slice(keys.indexOf(':') + 1));
  return {
    SVC_ENCRYPTION_KEYS: keys,
    SVC_BOOTSTRAP_API_KEY: rememberSecret('bootstrap API key', newApiKey()),
    SVC_OUTBOUND_ALLOW: '127.0.0.1/32',
  };
}
