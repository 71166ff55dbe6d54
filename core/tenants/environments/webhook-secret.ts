import type { StoreDeps } from '../../db/store-deps.ts';
import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import type { KeyRing, Place } from '../../kit/key-ring.ts';
import { newWebhookSecret } from '../../kit/random-id.ts';
import {
  lockWebhookSecrets,
  replaceWebhookSecret,
  type SecretEnvelopes,
  setWebhookSecret,
  webhookSecretsOf,
} from './webhook-secret-store.ts';

/** How long receivers have to switch to the new secret, in hours. */
const OVERLAP_HOURS = 24;

/** The secrets (`whsec_…`) with which an environment's webhooks are signed. */
export interface SigningSecrets {
  readonly current: string;
  /** The previous secret, which also signs until `until`; null when there is none. */
  readonly old: { readonly secret: string; readonly until: Date } | null;
}

/** @returns undefined when the environment has been deleted, or has no secret */
export async function signingSecrets({ db, keys }: StoreDeps, environmentId: number): Promise<SigningSecrets | undefined> {
  const envelopes = await webhookSecretsOf(db, environmentId);
  return envelopes && opened(keys, environmentId, envelopes);
}

/** Creates the first secret of an environment. */
export async function makeSigningSecret({ db, keys }: StoreDeps, environmentId: number): Promise<void> {
  await setWebhookSecret(
    db,
    environmentId,
    keys.encrypt(newWebhookSecret(), webhookSecretPlace('webhook_secret', environmentId)),
  );
}

/**
 * Replaces the secret. For 24 hours the previous one signs, too.
 *
 * @throws ServiceError `conflict` within these 24 hours: a third secret would leave receivers that know only the first without a
 *   signature that they can verify
 */
export async function rotateWebhookSecret({ db, keys }: StoreDeps, environmentId: number): Promise<SigningSecrets> {
  return withTransaction(db, async (trx) => {
    const envelopes = await lockWebhookSecrets(trx, environmentId);
    const before = envelopes && opened(keys, environmentId, envelopes);
    if (before === undefined) throw new ServiceError('not_found', 'the environment has no signing key that could be rotated');
    if (before.old !== null) {
      const until = before.old.until.toISOString();
      throw new ServiceError(
        'conflict',
        `the signing key was already rotated; the previous one signs until ${until}, try again then`,
      );
    }
    const current = newWebhookSecret();
    const until = await replaceWebhookSecret(trx, environmentId, {
      current: keys.encrypt(current, webhookSecretPlace('webhook_secret', environmentId)),
      old: keys.encrypt(before.current, webhookSecretPlace('webhook_secret_old', environmentId)),
      overlapHours: OVERLAP_HOURS,
    });
    return { current, old: { secret: before.current, until } };
  });
}

function opened(keys: KeyRing, environmentId: number, { current, old }: SecretEnvelopes): SigningSecrets | undefined {
  if (current === null) return undefined;
  return {
    current: keys.decrypt(current, webhookSecretPlace('webhook_secret', environmentId)),
    old: old && { secret: keys.decrypt(old.envelope, webhookSecretPlace('webhook_secret_old', environmentId)), until: old.until },
  };
}

export function webhookSecretPlace(column: 'webhook_secret' | 'webhook_secret_old', environmentId: number): Place {
  return { table: 'environments', column, environmentId, rowId: environmentId };
}
