import type { Knex } from 'knex';
import type { EnvironmentRow } from './environment-row.ts';

/** The secrets with which an environment's webhooks are signed, as envelopes of the key ring. */
export interface SecretEnvelopes {
  readonly current: Buffer | null;
  /** The previous secret and the time until which it signs; null when there is none or that time is over. */
  readonly old: { readonly envelope: Buffer; readonly until: Date } | null;
}

/** @returns undefined when the environment has been deleted */
export async function webhookSecretsOf(db: Knex, id: number): Promise<SecretEnvelopes | undefined> {
  return fromRow(await secretRow(db, id).first());
}

/** Returns the secrets like `webhookSecretsOf`, and locks them until the transaction ends. */
export async function lockWebhookSecrets(trx: Knex.Transaction, id: number): Promise<SecretEnvelopes | undefined> {
  return fromRow(await secretRow(trx, id).forUpdate().first());
}

export async function setWebhookSecret(db: Knex, id: number, envelope: Buffer): Promise<void> {
  await db<EnvironmentRow>('environments').where({ id }).update({ webhook_secret: envelope });
}

/** @returns the time until which the previous secret signs */
export async function replaceWebhookSecret(
  db: Knex,
  id: number,
  { current, old, overlapHours }: { readonly current: Buffer; readonly old: Buffer; readonly overlapHours: number },
): Promise<Date> {
  const [row] = await db<EnvironmentRow>('environments')
    .where({ id })
    .update({
      webhook_secret: current,
      webhook_secret_old: old,
      webhook_secret_old_until: db.raw(`now() + ? * interval '1 hour'`, [overlapHours]),
    })
    .returning('webhook_secret_old_until');
  if (!row?.webhook_secret_old_until) throw new Error('the environment has been deleted');
  return row.webhook_secret_old_until;
}

type SecretRow = Pick<EnvironmentRow, 'webhook_secret' | 'webhook_secret_old' | 'webhook_secret_old_until'>;

/**
 * Selects the secrets, except for a previous one that has expired. The database's clock decides, as it does for all times in
 * webhook delivery.
 */
function secretRow(db: Knex, id: number): Knex.QueryBuilder<SecretRow, SecretRow[]> {
  return db('environments')
    .where({ id })
    .whereNull('deleted_at')
    .select(
      'webhook_secret',
      'webhook_secret_old_until',
      db.raw('case when webhook_secret_old_until > now() then webhook_secret_old end as webhook_secret_old'),
    );
}

function fromRow(row: SecretRow | undefined): SecretEnvelopes | undefined {
  if (row === undefined) return undefined;
  const { webhook_secret: current, webhook_secret_old: envelope, webhook_secret_old_until: until } = row;
  return { current, old: envelope && until && { envelope, until } };
}
