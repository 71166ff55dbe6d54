import type { StoreDeps } from '../db/store-deps.ts';
import { withTransaction } from '../db/transaction.ts';
import { ServiceError } from '../errors.ts';
import { type Outbound, OutboundError } from '../kit/outbound.ts';
import { keepLogin, splitLogin } from '../tenants/environments/webhook-login.ts';
import type { Connection, Tags } from './connection.ts';
import { type ConnectionChange, changeConnection } from './connection-change-store.ts';
import { type ConnectionAddress, lockConnection } from './connection-store.ts';
import { announceChange, requireConnection, unknownConnection } from './connections.ts';
import type { ConnectionsDeps } from './deps.ts';
import { type EndUser, tagsOfEndUser, withEndUserTags } from './end-user.ts';
import { writeSearchWords } from './search-word-store.ts';

/** Changes to the attributes of a connection; omitted ones stay unchanged. */
export interface AttributeChanges {
  readonly tags?: Tags | undefined;
  readonly endUser?: EndUser | undefined;
  /** An empty string removes the override. */
  readonly webhookUrlOverride?: string | undefined;
}

/**
 * Changes the attributes of a connection.
 *
 * @throws ServiceError `unknown_provider_config`, `unknown_connection`; `invalid_body` if there would be too many tags, or the
 *   webhook URL must not be called
 */
export async function patchConnection(
  deps: ConnectionsDeps,
  address: ConnectionAddress,
  attributes: AttributeChanges,
): Promise<void> {
  checkOverride(deps.outbound, attributes);
  const connection = await requireConnection(deps, address);
  if (Object.values(attributes).every((member) => member === undefined)) return;
  await withTransaction(deps.db, async (trx) => {
    const current = await lockConnection({ ...deps, db: trx }, connection);
    if (current === undefined) throw unknownConnection(address);
    const change = changeOf(attributes, current);
    await changeConnection(trx, current, change);
    // A new end user brings new tags, too.
    if (change.tags !== undefined) await writeSearchWords(trx, { ...current, ...change });
    await keepOverrideLogin({ ...deps, db: trx }, current.environmentId, attributes);
    await announceChange(deps, trx, current);
  });
}

/** Checks that the outbound guard allows the webhook URL override, if there is one. @throws ServiceError `invalid_body` if not */
export function checkOverride(outbound: ConnectionsDeps['outbound'], { webhookUrlOverride }: AttributeChanges): void {
  if (webhookUrlOverride) checkWebhookUrl(outbound, splitLogin(webhookUrlOverride).url, ['webhook_url_override']);
}

/**
 * Stores the user name and password of an override URL separately, since the URL is stored without them. To be called in the
 * transaction that stores the URL.
 */
export async function keepOverrideLogin(
  deps: StoreDeps,
  environmentId: number,
  { webhookUrlOverride: url }: AttributeChanges,
): Promise<void> {
  if (url) await keepLogin(deps, { environmentId, of: 'connections', url });
}

/**
 * Returns the fields of a connection that these attributes change.
 *
 * @throws ServiceError `invalid_body` when there would be too many tags
 */
export function changeOf(attributes: AttributeChanges, current?: Pick<Connection, 'tags' | 'endUser'>): ConnectionChange {
  const { webhookUrlOverride } = attributes;
  return {
    ...(attributes.endUser !== undefined && { endUser: attributes.endUser }),
    ...((attributes.tags ?? attributes.endUser) !== undefined && { tags: tagsAfter(attributes, current) }),
    ...(webhookUrlOverride !== undefined && {
      webhookUrlOverride: webhookUrlOverride === '' ? null : splitLogin(webhookUrlOverride).url,
    }),
  };
}

/**
 * Returns the tags after a change: new tags replace all existing ones; a new end user without tags replaces only the tags that come
 * from the old one.
 */
function tagsAfter({ tags, endUser }: AttributeChanges, current: Pick<Connection, 'tags' | 'endUser'> | undefined): Tags {
  const source = { code: 'invalid_body', path: ['tags'] } as const;
  if (endUser === undefined) return tags ?? {};
  if (tags !== undefined) return withEndUserTags(endUser, tags, source);
  const fromEndUser = current?.endUser == null ? {} : tagsOfEndUser(current.endUser);
  const others = Object.entries(current?.tags ?? {}).filter(([key, value]) => fromEndUser[key] !== value);
  return withEndUserTags(endUser, { ...Object.fromEntries(others), ...tagsOfEndUser(endUser) }, source);
}

/**
 * Refuses an address that no webhook would reach because the outbound guard blocks it, so that the caller learns it now and not
 * at the first webhook.
 *
 * @throws ServiceError `invalid_body` if the address is blocked
 */
function checkWebhookUrl(outbound: Pick<Outbound, 'check'>, url: string, path: readonly string[]): void {
  try {
    outbound.check(new URL(url));
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    const message = 'must be an https URL whose host is not private';
    const details = [{ code: 'address_not_allowed', message, path }];
    throw new ServiceError('invalid_body', `${path.join('.')} ${message}`, { details, cause });
  }
}
