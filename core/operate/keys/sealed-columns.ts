import type { AuthorizationFlowRow } from '../../connect/flows/flow-row.ts';
import type { ConnectSessionRow } from '../../connections/connect-sessions/session-store.ts';
import type { ConnectionRow } from '../../connections/connection-row.ts';
import type { IntegrationRow } from '../../connections/integrations/integration-row.ts';
import type { WebhookInboxRow } from '../../demo-provider/inbox-store.ts';
import type { AuditKeyRow } from '../../journal/audit-trail/audit-rows.ts';
import type { QueuedScriptRow, ScriptVersionRow } from '../../scripts/script-rows.ts';
import type { IdempotencyKeyRow } from '../../server/idempotency/idempotency-store.ts';
import type { ApiKeyRow } from '../../tenants/api-keys/api-key-store.ts';
import type { EnvironmentRow } from '../../tenants/environments/environment-row.ts';
import type { EnvironmentVariableRow } from '../../tenants/environments/variable-store.ts';
import type { WebhookLoginRow } from '../../tenants/environments/webhook-login-store.ts';
import type { MemberFactorRow, MemberLinkRow, MemberRow, MemberSessionRow } from '../../tenants/members/member-rows.ts';
import type { WebhookMessageRow, WebhookPayloadRow } from '../../webhook-delivery/webhook-rows.ts';
import type { WebhookDeliveryRow } from '../../webhook-ingress/delivery-store.ts';

/** The row types of all tables that hold values sealed by the key ring. */
export interface SealedRows {
  readonly environments: EnvironmentRow;
  readonly environment_variables: EnvironmentVariableRow;
  readonly api_keys: ApiKeyRow;
  readonly audit_keys: AuditKeyRow;
  readonly integrations: IntegrationRow;
  readonly connections: ConnectionRow;
  readonly connect_sessions: ConnectSessionRow;
  readonly authorization_flows: AuthorizationFlowRow;
  readonly idempotency_keys: IdempotencyKeyRow;
  readonly members: MemberRow;
  readonly member_factors: MemberFactorRow;
  readonly member_links: MemberLinkRow;
  readonly member_sessions: MemberSessionRow;
  readonly webhook_deliveries: WebhookDeliveryRow;
  readonly webhook_inbox: WebhookInboxRow;
  readonly webhook_logins: WebhookLoginRow;
  readonly webhook_messages: WebhookMessageRow;
  readonly webhook_payloads: WebhookPayloadRow;
  readonly script_versions: ScriptVersionRow;
  readonly script_queue: QueuedScriptRow;
}

export type SealedTable = keyof SealedRows;

/** The names of a table's columns that hold bytes. */
type BytesOf<T extends SealedTable> = {
  [C in keyof SealedRows[T]]: Extract<SealedRows[T][C], Buffer> extends never ? never : C;
}[keyof SealedRows[T]] &
  string;

/**
 * Every column with envelopes or proofs of the key ring, except the canaries in `encryption_keys`. `seals.ts` defines what the
 * values of each column are bound to. A test compares this list with the `bytea` columns of the schema.
 */
export const SEALED_COLUMNS = {
  environments: ['webhook_secret', 'webhook_secret_old', 'webhook_tag_key', 'hmac_key'],
  environment_variables: ['value'],
  api_keys: ['mac'],
  audit_keys: ['secret'],
  integrations: ['client', 'secret_config', 'mac'],
  connections: ['credentials', 'secret_config', 'provider_account', 'handshake_secrets'],
  connect_sessions: ['defaults', 'authorization_presets'],
  authorization_flows: ['secrets', 'choice'],
  idempotency_keys: ['request', 'answer'],
  members: ['mac'],
  member_factors: ['secret'],
  member_links: ['mac'],
  member_sessions: ['challenge', 'mac'],
  webhook_deliveries: ['content'],
  webhook_inbox: ['entry'],
  webhook_logins: ['login'],
  webhook_messages: ['content'],
  webhook_payloads: ['content'],
  script_versions: ['source', 'compiled'],
  script_queue: ['webhook'],
} as const satisfies { [T in SealedTable]: readonly BytesOf<T>[] };

export type SealedColumnOf<T extends SealedTable> = (typeof SEALED_COLUMNS)[T][number];

/** One of the columns with sealed values. */
export interface SealedColumn<T extends SealedTable = SealedTable> {
  readonly table: T;
  readonly column: SealedColumnOf<T>;
}

export const ALL_SEALED: readonly SealedColumn[] = Object.entries(SEALED_COLUMNS).flatMap(([table, columns]) =>
  columns.map((column) => ({ table, column }) as SealedColumn),
);

/** Returns the columns of a table's primary key, with their types. */
export function keyColumns(table: SealedTable): Readonly<Record<string, 'bigint' | 'text'>> {
  return table === 'environment_variables' ? { environment_id: 'bigint', name: 'text' } : { id: 'bigint' };
}
