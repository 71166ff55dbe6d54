import { createHmac } from 'node:crypto';
import type { SigningSecrets } from '../tenants/environments/webhook-secret.ts';

const PREFIX = 'whsec_';

interface Signed {
  /** Of the message, the same in every attempt. */
  readonly id: string;
  /** Of this attempt. */
  readonly at: Date;
  readonly body: string;
}

/**
 * The signature headers: those of Standard Webhooks (github.com/standard-webhooks, spec § "Signature scheme"), whose key is the
 * decoded base64 after `whsec_`, and the older `X-Svc-Hmac-Sha256`, whose key is the whole text.
 *
 * While a secret is being rotated, the former has a signature of each, newest first. The latter can only have one, that of the
 * older secret, since a receiver switches when it is ready.
 *
 * @param prefix of the further header `X-<prefix>-Hmac-Sha256` that existing receivers expect
 */
export function signatureHeaders({ id, at, body }: Signed, secrets: SigningSecrets, prefix?: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const keys = [secrets.current, ...(secrets.old === null ? [] : [secrets.old.secret])];
  const signatures = keys.map((secret) => `v1,${hmac(keyOf(secret), `${id}.${timestamp}.`, body).digest('base64')}`);
  const bodyHmac = hmac(secrets.old?.secret ?? secrets.current, body).digest('hex');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    'x-svc-hmac-sha256': bodyHmac,
    ...(prefix !== undefined && { [`x-${prefix.toLowerCase()}-hmac-sha256`]: bodyHmac }),
  };
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

/** @param parts of one text; concatenating them would copy the body */
function hmac(key: Buffer | string, ...parts: readonly string[]) {
  const digest = createHmac('sha256', key);
  for (const part of parts) digest.update(part, 'utf8');
  return digest;
}
