import type { Knex } from 'knex';
import type { StoredCredentials } from '../../auth-modes/auth-mode.ts';
import { modeOf } from '../../auth-modes/index.ts';
import { haveSameRefreshToken, tokenSet } from '../../auth-modes/token-set.ts';
import type { Connection } from '../../connections/connection.ts';
import { changeConnection } from '../../connections/connection-change-store.ts';
import { insertConnection, lockConnection, replaceAuthorization } from '../../connections/connection-store.ts';
import { announceChange, unknownConnection } from '../../connections/connections.ts';
import { fingerprintOf } from '../../connections/integrations/effective-client.ts';
import { isSameAccount } from '../../connections/provider-account.ts';
import { writeSearchWords } from '../../connections/search-word-store.ts';
import { callOrigin } from '../../credentials/call-provider.ts';
import { connectionEvent } from '../../credentials/connection-event.ts';
import { dueRule } from '../../credentials/due-rule.ts';
import { type DueRule, writeRefresh } from '../../credentials/due-store.ts';
import { queueCreationScript } from '../../scripts/queued-run.ts';
import { type AuthWarning, sendAuthMessage } from '../../webhook-delivery/auth-message.ts';
import type { LifecycleDeps } from '../deps.ts';
import { sendSubscribing } from '../subscriptions/subscribing.ts';
import { isNothing } from '../subscriptions/subscription-call.ts';
import type { AdmittedPlan } from './connection-plan.ts';
import { checkAccount } from './prove.ts';

const DROPPED = 'The provider sent no refresh token this time, and the previous one was dropped';
/** Why the previous refresh token is not kept. */
const DROP_REASONS = {
  needs_reauth: 'because the connection already needed a new authorization',
  other_client: 'because it belongs to another client of the integration',
  account: 'because it may belong to another account',
} as const;

/** Dependencies whose database is a transaction. */
export type InTransaction<Deps> = Deps & { readonly db: Knex.Transaction };

/** A row that was written. */
export interface WrittenConnection {
  readonly id: number;
  readonly warning?: AuthWarning | undefined;
}

/** @returns undefined if the integration already has a connection with that ID */
export async function createConnection(
  deps: InTransaction<LifecycleDeps>,
  plan: AdmittedPlan,
): Promise<WrittenConnection | undefined> {
  const { integration, connectionId, credentials, connectionConfig, secretConfig, providerAccount, notify } = plan;
  const clientFingerprint = fingerprintOf(plan.input.client);
  const { environmentId, id: integrationId, uniqueKey: providerConfigKey, provider } = integration;
  const { tags = {}, endUser = null, webhookUrlOverride = null, metadata } = plan.attributes(undefined);
  const connection = {
    environmentId,
    integrationId,
    providerConfigKey,
    provider,
    connectionId,
    credentials,
    clientFingerprint,
    connectionConfig,
    secretConfig,
    providerAccount,
    tags,
    endUser,
    webhookUrlOverride,
    ...(metadata !== undefined && { metadata }),
  };
  const operation = plan.beginOperation('creation');
  const id = await insertConnection(deps, connection);
  if (id === undefined) return undefined;
  const written = { ...connection, id, integrationId };
  await writeRefresh(deps.db, written, { ...refreshOf(deps, plan, written), keepsLease: false });
  await operation.endIn(deps.db, 'success', connectionId);
  if (notify) await sendAuthMessage(deps, deps.db, connectionEvent(connection, { operation: 'creation', success: true }));
  await sendSubscribing(deps, deps.db, { ...connection, id });
  await queueCreationScript(deps, deps.db, { ...connection, id });
  return { id };
}

/** Returns when the connection's refresh is due, and the origin that the refresh calls. */
function refreshOf(
  deps: LifecycleDeps,
  { input }: AdmittedPlan,
  connection: Pick<Connection, 'provider' | 'integrationId' | 'credentials' | 'connectionConfig'>,
): DueRule & { readonly origin: string } {
  const { connectionConfig } = connection;
  return { ...dueRule(deps, connection), origin: callOrigin({ connection, input: { ...input, connectionConfig } }) };
}

/** Replaces the credentials of the connection with the plan's ID. @returns undefined if it was deleted */
export async function overrideConnection(
  deps: InTransaction<LifecycleDeps>,
  plan: AdmittedPlan,
): Promise<WrittenConnection | undefined> {
  const { environmentId, id: integrationId } = plan.integration;
  const current = await lockConnection(deps, { environmentId, integrationId, connectionId: plan.connectionId });
  return current && reauthorizeConnection(deps, plan, current);
}

/**
 * Returns the fingerprint of the client that the credentials belong to. If the same refresh token is imported again, it stays
 * with its previous client.
 */
function clientOf(current: Connection, { input, credentials, reauthorization }: AdmittedPlan): string | null {
  const isRepeated = reauthorization === undefined && haveSameRefreshToken(current.credentials, credentials);
  return isRepeated ? current.clientFingerprint : fingerprintOf(input.client);
}

/**
 * Replaces the credentials and merges the discovered configuration; metadata and subscription stay unchanged, and so do tags, end
 * user and webhook override unless they are set.
 *
 * @throws ServiceError `unknown_connection` if it has been deleted in the meantime; `wrong_account` if it has been reauthorized
 *   for another account in the meantime
 */
export async function reauthorizeConnection(
  deps: InTransaction<LifecycleDeps>,
  plan: AdmittedPlan,
  connection: Connection,
): Promise<WrittenConnection> {
  const change = plan.attributes(connection);
  const operation = plan.beginOperation('override');
  // Locks and reads the row again: its configuration may have changed while the user was at the provider.
  const current = await lockConnection(deps, connection);
  if (current?.id !== connection.id) throw unknownConnection(connection);
  checkAccount(plan, current.providerAccount, plan.providerAccount);
  const { credentials, warning } = successorOf(current, plan);
  const clientFingerprint = clientOf(current, plan);
  const attributes = await replaceAuthorization(deps, current, { ...plan, credentials, clientFingerprint });
  if (attributes === undefined) throw unknownConnection(connection);
  // If the refresh token is unchanged, a refresh that is under way uses up the token stored here, too, so its lease stays.
  const keepsLease = haveSameRefreshToken(current.credentials, credentials);
  const merged = { ...current.connectionConfig, ...plan.connectionConfig };
  await writeRefresh(deps.db, current, {
    ...refreshOf(deps, plan, { ...current, credentials, connectionConfig: merged }),
    keepsLease,
  });
  if (Object.keys(change).length > 0) await changeConnection(deps.db, connection, change);
  await announceChange(deps, deps.db, connection);
  if (warning !== undefined) operation.note('warn', warning.description, { warning: warning.type });
  await operation.endIn(deps.db, 'success', connection.connectionId);
  const now = { ...connection, ...attributes, ...change, credentials, providerAccount: plan.providerAccount };
  await writeSearchWords(deps.db, now);
  if (plan.notify) await sendAuthMessage(deps, deps.db, connectionEvent(now, { operation: 'override', success: true, warning }));
  // Registering webhooks may succeed now, for example because a missing scope has been granted.
  if (isNothing(connection.subscription)) await sendSubscribing(deps, deps.db, connection);
  return { id: connection.id, warning };
}

interface Successor {
  readonly credentials: StoredCredentials;
  readonly warning?: AuthWarning;
}

/**
 * Returns the credentials to store in place of the current ones. Some providers send a refresh token only the first time: the
 * previous one is kept if the account is known to be the same, and dropped with a warning otherwise.
 *
 * @param current the locked row: its tokens may have been refreshed while the user was at the provider
 */
function successorOf(
  current: Pick<Connection, 'credentials' | 'clientFingerprint' | 'providerAccount' | 'state'>,
  { credentials, input, providerAccount, reauthorization }: AdmittedPlan,
): Successor {
  const isLost = hasRefreshToken(current.credentials) && !hasRefreshToken(credentials) && credentials.isRefreshable !== true;
  if (!isLost || reauthorization === undefined) return { credentials };
  const reason = dropReason(current, fingerprintOf(input.client), providerAccount);
  const kept = reason === undefined ? modeOf(credentials).keepRefreshToken?.(credentials, current.credentials) : undefined;
  if (kept === undefined) return { credentials, warning: noRefreshToken(reason) };
  // `isRefreshable` is dropped, since the plugin decided it without knowing of the kept token.
  const { isRefreshable: _, ...successor } = kept;
  return { credentials: successor };
}

/** Returns why the refresh token must not be kept. */
function dropReason(
  { state, clientFingerprint, providerAccount }: Pick<Connection, 'state' | 'clientFingerprint' | 'providerAccount'>,
  client: string | null,
  account: Connection['providerAccount'],
): keyof typeof DROP_REASONS | undefined {
  // With `needs_reauth` the provider has rejected the refresh token; another client cannot use it (RFC 6749 §10.4).
  if (state === 'needs_reauth') return 'needs_reauth';
  if (clientFingerprint !== client) return 'other_client';
  return isSameAccount(providerAccount, account) ? undefined : 'account';
}

function noRefreshToken(reason: keyof typeof DROP_REASONS | undefined): AuthWarning {
  const description = reason === undefined ? `${DROPPED}.` : `${DROPPED}, ${DROP_REASONS[reason]}.`;
  return { type: 'no_refresh_token', description };
}

function hasRefreshToken(stored: StoredCredentials): boolean {
  return tokenSet(stored).refreshToken !== undefined;
}
