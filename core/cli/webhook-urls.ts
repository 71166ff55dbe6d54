import type { Knex } from 'knex';
import { outboundRules } from '../db/instances.ts';
import { createPublisher } from '../db/notices.ts';
import type { EnvironmentChanges } from '../environments/environment-store.ts';
import { createOutbound, OutboundError } from '../kit/outbound.ts';
import { resumeTargets } from '../webhook-delivery/target-store.ts';
import type { CommandContext } from './command-context.ts';
import { INBOX } from './inbox.ts';
import { commandError } from './output.ts';

const SLOTS = { webhook_url: 'primary', webhook_url_secondary: 'secondary' } as const;

/**
 * Rejects URLs that the service would not call, by the rules of the running instances, or of this shell if there are none.
 *
 * @throws CommandError
 */
export async function checkWebhookUrls(
  { db, config }: Pick<CommandContext, 'db' | 'config'>,
  changes: EnvironmentChanges,
): Promise<void> {
  const rules = await outboundRules(db);
  for (const allow of rules.length > 0 ? rules : [config.SVC_OUTBOUND_ALLOW]) await checkBy(allow, changes);
}

async function checkBy(allow: readonly string[], changes: EnvironmentChanges): Promise<void> {
  await using outbound = createOutbound({ allow });
  for (const url of [changes.webhook_url, changes.webhook_url_secondary]) {
    try {
      if (typeof url === 'string' && url !== INBOX) outbound.check(new URL(url));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw commandError(`${url} is not https or is private; to allow its host, add it to SVC_OUTBOUND_ALLOW of the service`);
    }
  }
}

/** Setting a webhook URL again ends the pause of its target. Workers are notified in its transaction: this process exits then. */
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
