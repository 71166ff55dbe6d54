import { flowPlace } from '../../connect/flows/flow-store.ts';
import { sessionPlace } from '../../connections/connect-sessions/session-store.ts';
import {
  accountPlace,
  type ConnectionPlace,
  credentialsPlace,
  handshakeSecretsPlace,
  secretConfigPlace,
} from '../../connections/connection-row.ts';
import { integrationPlace, integrationStatement } from '../../connections/integrations/integration-store.ts';
import { webhookTagKeyPlace } from '../../connections/integrations/webhook-address.ts';
import { inboxPlace } from '../../demo-provider/inbox-store.ts';
import { auditKeyPlace } from '../../journal/audit-trail/audit-keys.ts';
import type { KeyRing, Place, Statement } from '../../kit/key-ring.ts';
import { scriptPlace } from '../../scripts/script-store.ts';
import { queuedWebhookPlace } from '../../scripts/webhook-content.ts';
import { requestPlace } from '../../server/idempotency/idempotency-store.ts';
import { keyStatement } from '../../tenants/api-keys/api-key-store.ts';
import { hmacKeyPlace } from '../../tenants/api-keys/public-key-store.ts';
import { variablePlace } from '../../tenants/environments/variables.ts';
import { loginPlace } from '../../tenants/environments/webhook-login.ts';
import { webhookSecretPlace } from '../../tenants/environments/webhook-secret.ts';
import { challengePlace } from '../../tenants/members/factors/challenge.ts';
import { factorPlace } from '../../tenants/members/factors/factor-store.ts';
import { memberLinkStatement } from '../../tenants/members/member-link-store.ts';
import { sessionStatement } from '../../tenants/members/member-session-store.ts';
import { MEMBER_STATEMENT_COLUMNS, memberStatement } from '../../tenants/members/member-store.ts';
import { contentPlace as messagePlace } from '../../webhook-delivery/content.ts';
import { payloadPlace } from '../../webhook-delivery/payload.ts';
import { contentPlace as deliveryPlace } from '../../webhook-ingress/delivery-content.ts';
import type { SealedColumn, SealedColumnOf, SealedRows, SealedTable } from './sealed-columns.ts';

/** The binding of a sealed value: the place of an encrypted value, or the statement that a proof authenticates. */
type Binding = { readonly place: Place } | { readonly statement: Statement };

interface Seal<Row, Column> {
  /** The columns of the row that `bind` reads. */
  readonly needs: readonly (keyof Row & string)[];
  bind(row: Row, column: Column): Binding;
}

type Seals = { readonly [T in SealedTable]: Seal<SealedRows[T], SealedColumnOf<T>> };

const OWN = ['id', 'environment_id'] as const;

const CONNECTION_PLACES: Readonly<Record<SealedColumnOf<'connections'>, (row: ConnectionPlace) => Place>> = {
  credentials: credentialsPlace,
  secret_config: secretConfigPlace,
  handshake_secrets: handshakeSecretsPlace,
  provider_account: accountPlace,
};

const SEALS: Seals = {
  environments: { needs: ['id'], bind: ({ id }, column) => ({ place: environmentPlace(id, column) }) },
  environment_variables: {
    needs: ['environment_id', 'name'],
    bind: (row) => ({ place: variablePlace(row.environment_id, row.name) }),
  },
  api_keys: {
    needs: ['account_id', 'environment_id', 'secret_hash', 'scopes', 'expires_at'],
    bind: (row) => ({ statement: keyStatement(row) }),
  },
  audit_keys: { needs: ['id'], bind: ({ id }) => ({ place: auditKeyPlace(id) }) },
  integrations: {
    needs: [...OWN, 'provider', 'integration_config'],
    bind: (row, column) =>
      column === 'mac'
        ? { statement: integrationStatement(row) }
        : { place: integrationPlace(column, { id: row.id, environmentId: row.environment_id }) },
  },
  connections: {
    needs: [...OWN, 'integration_id'],
    bind: ({ id, environment_id: environmentId, integration_id: integrationId }, column) => ({
      place: CONNECTION_PLACES[column]({ id, environmentId, integrationId }),
    }),
  },
  connect_sessions: {
    needs: OWN,
    bind: ({ id, environment_id: environmentId }, column) => ({ place: sessionPlace(column, { id, environmentId }) }),
  },
  authorization_flows: {
    needs: OWN,
    bind: (row, column) => ({ place: { ...flowPlace(row.environment_id, row.id), column } }),
  },
  idempotency_keys: {
    needs: OWN,
    bind: ({ id, environment_id: environmentId }, column) => ({ place: requestPlace(column, { id, environmentId }) }),
  },
  members: { needs: MEMBER_STATEMENT_COLUMNS, bind: (row) => ({ statement: memberStatement(row) }) },
  member_factors: {
    needs: ['id', 'member_id'],
    bind: ({ id, member_id: memberId }) => ({ place: factorPlace({ id, memberId }) }),
  },
  member_links: {
    needs: ['token_hash', 'kind', 'account_id', 'member_id', 'email', 'role', 'expires_at'],
    bind: (row) => ({ statement: memberLinkStatement(row) }),
  },
  member_sessions: {
    needs: ['id', 'member_id', 'token_hash', 'awaits_factor'],
    bind: (row, column) =>
      column === 'mac'
        ? { statement: sessionStatement(row) }
        : { place: challengePlace({ sessionId: row.id, memberId: row.member_id }) },
  },
  webhook_deliveries: { needs: OWN, bind: (row) => ({ place: deliveryPlace(row.environment_id, row.id) }) },
  webhook_inbox: { needs: OWN, bind: (row) => ({ place: inboxPlace(row.environment_id, row.id) }) },
  webhook_logins: { needs: OWN, bind: ({ id, environment_id: environmentId }) => ({ place: loginPlace({ id, environmentId }) }) },
  webhook_messages: { needs: OWN, bind: (row) => ({ place: messagePlace(row.environment_id, row.id) }) },
  webhook_payloads: { needs: OWN, bind: (row) => ({ place: payloadPlace(row.environment_id, row.id) }) },
  script_versions: { needs: OWN, bind: (row, column) => ({ place: scriptPlace(column, row) }) },
  script_queue: {
    needs: ['environment_id', 'connection_id'],
    bind: ({ environment_id: environmentId, connection_id: connection }) => ({
      place: queuedWebhookPlace({ environmentId, connection }),
    }),
  },
};

/** Returns the columns that determine what the values of a table are bound to. */
export function bindingColumns(table: SealedTable): readonly string[] {
  return SEALS[table].needs;
}

/** Returns what a value is bound to. @param row a row with at least the columns of `bindingColumns` */
export function bindingOf<T extends SealedTable>({ table, column }: SealedColumn<T>, row: SealedRows[T]): Binding {
  return SEALS[table].bind(row, column);
}

/**
 * Seals a value again with the key that encrypts now.
 *
 * @returns undefined when the value cannot be decrypted or the proof is not authentic: such a value is left unchanged, since a
 * new proof would authenticate a forgery
 */
export function resealed(keys: KeyRing, binding: Binding, value: Buffer): Buffer | undefined {
  try {
    if ('place' in binding) return keys.encrypt(keys.decrypt(value, binding.place), binding.place);
    return keys.isAuthentic(value, binding.statement) ? keys.authenticate(binding.statement) : undefined;
  } catch {
    return undefined;
  }
}

function environmentPlace(id: number, column: SealedColumnOf<'environments'>): Place {
  if (column === 'hmac_key') return hmacKeyPlace(id);
  return column === 'webhook_tag_key' ? webhookTagKeyPlace(id) : webhookSecretPlace(column, id);
}
