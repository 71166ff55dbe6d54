import type { Knex } from 'knex';
import { outboundRules } from '../db/instances.ts';
import { createPublisher } from '../db/notices.ts';
import type { EnvironmentChanges } from '../environments/environment-store.ts';
import { createOutbound, OutboundError } from '../kit/outbound.ts';
import { resumeTargets } from '../webhook-delivery/target-store.ts';
import type { Joined } from './join.ts';
import { refused } from './output.ts';

const SLOTS = { webhook_url: 'primary', webhook_url_secondary: 'secondary' } as const;

/**
 * Better refused now than never reached. The rules are those of the instances that run; where none can be seen, those of this
 * shell.
 *
 * @throws CommandError for an address that the service would not call
 */
export async function checkWebhookUrls(
  { db, config }: Pick<Joined, 'db' | 'config'>,
  changes: EnvironmentChanges,
): Promise<void> {
  const rules = await outboundRules(db);
  for (const allow of rules.length > 0 ? rules : [config.SVC_OUTBOUND_ALLOW]) await checkBy(allow, changes);
}

async function checkBy(allow: readonly string[], changes: EnvironmentChanges): Promise<void> {
  await using outbound = createOutbound({ allow });
  for (const url of [changes.webhook_url, changes.webhook_url_secondary]) {
    try {
      if (typeof url === 'string') outbound.check(new URL(url));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw refused(
        `${url} would not be called: it is not https, or private; only SVC_OUTBOUND_ALLOW of the service opens such hosts`,
      );
    }
  }
}

/** Setting a webhook URL again ends the pause of its target. Workers are told in the transaction: this process ends with it. */
export async function resumeDelivery(
  trx: Knex.Transaction,
  { environmentId, changes }: { readonly environmentId: number; readonly changes: EnvironmentChanges },
): Promise<void> {
  for (const [column, slot] of Object.entries(SLOTS)) {
    if (!(column in changes)) continue;
    const targetIds = await resumeTargets(trx, environmentId, slot);
    await createPublisher().publish(trx, 'webhook-messages', JSON.stringify({ keys: targetIds }));
  }
}
