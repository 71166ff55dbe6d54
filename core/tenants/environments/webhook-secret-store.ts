import type { Knex } from 'knex';
import type { EnvironmentRow } from './environment-row.ts';

/** What an environment's messages are signed with: envelopes of the key ring. */
export interface SecretEnvelopes {
  readonly current: Buffer | null;
  /** The one before and the end of its time; null when that is over. */
  readonly old: { readonly envelope: Buffer; readonly until: Date } | null;
}

/** @returns undefined when the environment is gone */
export async function webhookSecretsOf(db: Knex, id: number): Promise<SecretEnvelopes | undefined> {
  return fromRow(await secretRow(db, id).first());
}

/** The same, locked until the transaction ends. */
export async function lockWebhookSecrets(trx: Knex.Transaction, id: number): Promise<SecretEnvelopes | undefined> {
  return fromRow(await secretRow(trx, id).forUpdate().first());
}

export async function setWebhookSecret(db: Knex, id: number, envelope: Buffer): Promise<void> {
  await db<EnvironmentRow>('environments').where({ id }).update({ webhook_secret: envelope });
}

/** @returns the end of the older one's time */
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
  if (!row?.webhook_secret_old_until) throw new Error('the environment is gone');
  return row.webhook_secret_old_until;
}

type SecretRow = Pick<EnvironmentRow, 'webhook_secret' | 'webhook_secret_old' | 'webhook_secret_old_until'>;

/** By the database's clock, as everything that messages wait for. */
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
