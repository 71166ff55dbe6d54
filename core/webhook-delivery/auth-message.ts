import type { Knex } from 'knex';
import { type Environment, environmentById } from '../tenants/environments/environment-store.ts';
import type { OutboxDeps } from './deps.ts';
import { sendMessages } from './messages.ts';

/** An event in the life of a connection's authorization. */
export interface AuthEvent {
  readonly environmentId: number;
  readonly operation: 'creation' | 'override' | 'refresh' | 'deletion';
  readonly success: boolean;
  /** Absent if a creation failed. */
  readonly connectionId?: string | undefined;
  readonly providerConfigKey: string;
  readonly provider: string;
  readonly authMode: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Deprecated in favour of tags. */
  readonly endUser: AuthEventEndUser | null;
  /** Null when unknown. */
  readonly providerAccount: AuthEventAccount | null;
  /** `type` is an error code. */
  readonly error?: { readonly type: string; readonly description: string } | undefined;
  /** Only in an event with `success`. */
  readonly warning?: AuthWarning | undefined;
  readonly webhookUrlOverride: string | null;
}

/** A limitation of a successful authorization. */
export interface AuthWarning {
  readonly type: 'no_refresh_token';
  readonly description: string;
}

/** The account at the provider that the connection belongs to. */
interface AuthEventAccount {
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
  readonly picture?: string;
}

interface AuthEventEndUser {
  readonly id: string;
  readonly email: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly organization: { readonly id: string } | null;
}

const TOGGLES = {
  creation: 'onNewConnection',
  override: 'onNewConnection',
  refresh: 'onRefresh',
  deletion: 'onDeletion',
} as const satisfies Record<AuthEvent['operation'], keyof Environment>;

/** Sends a webhook to the application in the transaction of the event, if its environment has enabled webhooks of this kind. */
export async function sendAuthMessage(deps: OutboxDeps, trx: Knex.Transaction, event: AuthEvent): Promise<void> {
  const environment = await environmentById(trx, event.environmentId);
  if (environment === undefined || !environment[TOGGLES[event.operation]]) return;
  const { environmentId, operation, success, connectionId, providerConfigKey, webhookUrlOverride } = event;
  const about = { environmentId, operation, success, connectionId, providerConfigKey, webhookUrlOverride };
  await sendMessages(deps, trx, [{ type: 'auth', ...about, body: bodyOf(event, environment.name) }]);
}

function bodyOf(event: AuthEvent, environment: string): Readonly<Record<string, unknown>> {
  const { operation, success, connectionId, providerConfigKey, provider, authMode, tags, endUser, error, warning } = event;
  const { providerAccount } = event;
  return {
    from: 'svc',
    type: 'auth',
    operation,
    success,
    ...(connectionId !== undefined && { connectionId }),
    providerConfigKey,
    provider,
    authMode,
    environment,
    tags,
    provider_account: providerAccount,
    ...(endUser !== null && { endUser: endUserOf(endUser) }),
    ...(error !== undefined && { error: { type: error.type, description: error.description } }),
    ...(warning !== undefined && { warning }),
  };
}

function endUserOf({ id, email, tags, organization }: AuthEventEndUser) {
  return {
    endUserId: id,
    ...(email !== null && { endUserEmail: email }),
    ...(organization !== null && { organizationId: organization.id }),
    tags,
  };
}
