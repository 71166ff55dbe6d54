import { checkFields, type JsonObject } from '#contract';
import type { StoredCredentials } from '../auth-modes/auth-mode.ts';
import { type ImportedCredentials, storedFromImport } from '../auth-modes/import-credentials.ts';
import { modeOf } from '../auth-modes/index.ts';
import { changeOf, checkOverride, type Said } from '../connections/change-connection.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionFacts } from '../connections/connection-facts.ts';
import { findConnection } from '../connections/connection-store.ts';
import { jsonBytes, MAX_OBJECT_BYTES } from '../connections/metadata.ts';
import { type ErrorDetail, ServiceError } from '../errors.ts';
import type { Integration } from '../integrations/integration.ts';
import { type IntegrationDeps, providerOf, requireIntegration } from '../integrations/integrations.ts';
import { modeInput } from '../integrations/mode-input.ts';
import { secretPart } from '../integrations/secret-fields.ts';
import { newConnectionId } from '../kit/random-id.ts';
import type { Plugins } from '../plugin-host/plugins.ts';
import { type AdmitDeps, admitByPlugin, admitByProvider, admitByScript } from './admit.ts';
import type { Candidate } from './candidate.ts';
import {
  beginImport,
  connectionImported,
  type ImportNotes,
  type ImportWriteDeps,
  type WrittenAlongside,
} from './connection-imported.ts';

export interface ImportDeps extends ImportWriteDeps, IntegrationDeps, AdmitDeps {
  readonly plugins: Plugins;
}

/** Credentials that exist already, and whose they are. */
export interface WantedImport extends Said {
  readonly providerConfigKey: string;
  /** Undefined: a new one is generated. */
  readonly connectionId?: string | undefined;
  readonly credentials: ImportedCredentials;
  readonly connectionConfig?: JsonObject | undefined;
  readonly metadata?: JsonObject | undefined;
  /** Whether the application is sent an auth webhook, if it asked for those. */
  readonly notify: boolean;
  /** What else is to be written with the connection, in its transaction. */
  readonly alongside?: WrittenAlongside | undefined;
}

interface Import {
  readonly wanted: WantedImport;
  readonly connectionId: string;
  readonly integration: Integration;
  readonly provider: ReturnType<typeof providerOf>;
  /** The connection of that ID, if there is one. */
  readonly known: Connection | undefined;
}

/**
 * Takes over credentials from elsewhere: makes a connection of them, or gives them to the one of that ID.
 *
 * @throws ServiceError and nothing was written: `unknown_provider_config`, `not_found`, `invalid_body`,
 *   `connection_test_failed`, `connection_validation_failed`, `missing_client_id`, `provider_unavailable`, `server_error`
 */
export async function importConnection(deps: ImportDeps, environmentId: number, wanted: WantedImport): Promise<Connection> {
  checkOverride(deps.outbound, wanted);
  const integration = await requireIntegration(deps, environmentId, wanted.providerConfigKey);
  const provider = providerOf(deps.catalogue, integration);
  const connectionId = wanted.connectionId ?? newConnectionId();
  const address = { environmentId, providerConfigKey: integration.uniqueKey, connectionId };
  const known = wanted.connectionId === undefined ? undefined : await findConnection(deps, address);
  const one = { wanted, connectionId, integration, provider, known };
  checkType(one);
  checkConfig(one);

  const { credentials, discovered, notes } = await admitted(deps, one);
  // What the caller says stands against what the provider says.
  const connectionConfig = { ...discovered, ...wanted.connectionConfig };
  return connectionImported(deps, {
    ...address,
    integrationId: integration.id,
    provider: provider.slug,
    credentials,
    connectionConfig,
    secretConfig: secretPart(provider.definition.connection_config, connectionConfig),
    metadata: wanted.metadata,
    notify: wanted.notify,
    notes,
    alongside: wanted.alongside,
    said: { tags: wanted.tags, endUser: wanted.endUser, webhookUrlOverride: wanted.webhookUrlOverride },
  });
}

function checkType({ wanted, provider }: Import): void {
  const { type } = wanted.credentials;
  const mode = provider.definition.auth_mode;
  if (type !== mode)
    refuse(`the provider "${provider.slug}" takes credentials of the type ${mode}, not ${type}`, 'credentials', 'type');
}

/** As a whole: what an existing connection has need not be said again. */
function checkConfig({ wanted, provider, known }: Import): void {
  const whole = { ...known?.connectionConfig, ...wanted.connectionConfig };
  const faults = checkFields(provider.definition.connection_config, whole, { allowUnknown: true });
  if (faults.length > 0) {
    const details = faults.map((fault) => ({ ...fault, path: ['connection_config', ...fault.path] }));
    throw invalid(faults.map(({ message }) => message).join(' '), details);
  }
  if (jsonBytes(whole) > MAX_OBJECT_BYTES)
    refuse(`the configuration would have more than ${MAX_OBJECT_BYTES / 1024} KB`, 'connection_config');
}

interface Admitted {
  readonly credentials: StoredCredentials;
  /** The configuration that a plugin found out. */
  readonly discovered: JsonObject;
  readonly notes: ImportNotes;
}

/** What can refuse the credentials themselves; a refusal goes into the log. */
async function admitted(deps: ImportDeps, one: Import): Promise<Admitted> {
  const notes: ImportNotes[number][] = [];
  try {
    return { ...(await ask(deps, one, (...note) => notes.push(note))), notes };
  } catch (cause) {
    const { environmentId, uniqueKey: providerConfigKey } = one.integration;
    const identity = { environmentId, providerConfigKey, connectionId: one.connectionId, notes };
    const operation = beginImport(deps, identity, one.known === undefined ? 'creation' : 'override');
    const reason = cause instanceof ServiceError ? { code: cause.code, reason: cause.message } : {};
    operation.note('error', 'the import was refused', reason);
    operation.end('failure');
    throw cause;
  }
}

async function ask(
  deps: ImportDeps,
  { wanted, connectionId, integration, provider, known }: Import,
  note: Candidate['note'],
): Promise<Omit<Admitted, 'notes'>> {
  const now = await deps.refreshing.time.current(deps.db);
  const plugin = deps.plugins.of(provider.slug);
  const connectionConfig = { ...known?.connectionConfig, ...wanted.connectionConfig };
  const input = modeInput(integration, provider, { connectionConfig, rules: plugin.auth });
  const given = storedFromImport(wanted.credentials, now);
  const mode = modeOf(given);
  const credentials =
    (await mode.prepare?.({ outbound: deps.outbound, now: () => deps.refreshing.time.now() }, input, given)) ?? given;
  const facts = connectionFacts({
    connectionId,
    providerConfigKey: integration.uniqueKey,
    provider: provider.slug,
    connectionConfig,
    metadata: wanted.metadata ?? known?.metadata ?? {},
    tags: wanted.tags ?? known?.tags ?? {},
  });
  const candidate = {
    integration,
    input,
    plugin,
    credentials,
    facts,
    subscription: known?.subscription ?? {},
    known,
    fixedConfig: wanted.connectionConfig ?? {},
    said: changeOf(wanted, known),
    note,
  };
  // A token that is over finds nothing out; it comes with the means to renew it.
  const { expiresAt } = mode.validity(credentials);
  const isOver = expiresAt !== undefined && expiresAt <= now;
  const ask = mode.isProvenByCall ? admitByProvider : admitByPlugin;
  const discovered = isOver && !mode.isProvenByCall ? {} : await ask(deps, candidate);
  await admitByScript(deps, candidate, discovered);
  return { credentials, discovered };
}

function refuse(message: string, ...path: string[]): never {
  throw invalid(message, [{ code: 'invalid_value', message, path }]);
}

function invalid(message: string, details: readonly ErrorDetail[]): ServiceError {
  return new ServiceError('invalid_body', message, { details });
}
