import type { Knex } from 'knex';
import { outboundRules } from '../db/instances.ts';
import type { Notices } from '../db/notices.ts';
import { ServiceError } from '../errors.ts';
import { createOutbound, OutboundError } from '../kit/outbound.ts';
import type { Environment, EnvironmentChanges } from '../tenants/environments/environment-store.ts';
import { resumeTargets } from './target-store.ts';

/** The value that stands for the address of the environment's own inbox. */
export const INBOX = 'inbox';
const SLOTS = { webhook_url: 'primary', webhook_url_secondary: 'secondary' } as const;

export function inboxUrl(baseUrl: string, { uuid }: Pick<Environment, 'uuid'>): string {
  return `${baseUrl}/sandbox/inbox/${uuid}`;
}

/** Replaces `inbox` by the address of the environment's inbox. @throws ServiceError `forbidden` for a production environment */
export function withInbox(baseUrl: string, environment: Environment, changes: EnvironmentChanges): EnvironmentChanges {
  if (changes.webhook_url !== INBOX) return changes;
  const { name, isProduction } = environment;
  if (isProduction) throw new ServiceError('forbidden', `"${name}" is a production environment: it has no inbox`);
  return { ...changes, webhook_url: inboxUrl(baseUrl, environment) };
}

/**
 * To be called before an environment becomes a production environment.
 *
 * @throws ServiceError `conflict` while its webhooks go to its inbox
 */
export function requireNoInbox(baseUrl: string, environment: Environment): void {
  const inbox = inboxUrl(baseUrl, environment);
  if (environment.webhookUrl !== inbox && environment.webhookUrlSecondary !== inbox) return;
  throw new ServiceError('conflict', 'production environments have no inbox; set another webhook URL, or none, first');
}

/**
 * Rejects URLs that the service would not call, by the outbound rules of the running instances, or by `allow` if no instance can
 * be observed.
 *
 * @param allow entries as `parseAllowList` reads them
 * @throws ServiceError `forbidden` for a URL that is private or not https, and not allowed by these rules
 */
export async function checkWebhookUrls(db: Knex, changes: EnvironmentChanges, allow: readonly string[]): Promise<void> {
  const rules = await outboundRules(db);
  for (const one of rules.length > 0 ? rules : [allow]) await checkBy(one, changes);
}

async function checkBy(allow: readonly string[], changes: EnvironmentChanges): Promise<void> {
  await using outbound = createOutbound({ allow });
  for (const column of ['webhook_url', 'webhook_url_secondary'] as const) {
    const url = changes[column];
    try {
      if (typeof url === 'string' && url !== INBOX) outbound.check(new URL(url));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const message = `${url} is not https or is private; to allow its host, add it to SVC_OUTBOUND_ALLOW of the service`;
      throw new ServiceError('forbidden', message, { details: [{ code: 'address_not_allowed', message, path: [column] }] });
    }
  }
}

/** Ends the pause of targets whose webhook URL is set again. Workers are notified when the transaction commits. */
export async function resumeDelivery(
  { notices }: { readonly notices: Pick<Notices, 'publish'> },
  trx: Knex.Transaction,
  { environmentId, changes }: { readonly environmentId: number; readonly changes: EnvironmentChanges },
): Promise<void> {
  for (const [column, slot] of Object.entries(SLOTS)) {
    if (!(column in changes)) continue;
    const targetIds = await resumeTargets(trx, environmentId, slot);
    await notices.publish(trx, 'webhook-messages', JSON.stringify({ keys: targetIds }));
  }
}
