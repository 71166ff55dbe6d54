import { checkFields, type JsonObject } from '#contract';
import type { ModeInput, StoredCredentials } from '../../auth-modes/auth-mode.ts';
import { type ImportedCredentials, storedFromImport } from '../../auth-modes/import-credentials.ts';
import { modeOf } from '../../auth-modes/index.ts';
import { checkSendable } from '../../auth-modes/sendable.ts';
import { validityOf } from '../../auth-modes/validity.ts';
import { type AttributeChanges, changeOf, checkOverride, keepOverrideLogin } from '../../connections/change-connection.ts';
import type { Connection } from '../../connections/connection.ts';
import { findConnection } from '../../connections/connection-store.ts';
import { requireSandboxAllowed } from '../../connections/integrations/demo-provider.ts';
import type { Integration } from '../../connections/integrations/integration.ts';
import { providerOf, requireIntegration } from '../../connections/integrations/integrations.ts';
import { modeInput } from '../../connections/integrations/mode-input.ts';
import { jsonBytes, MAX_OBJECT_BYTES } from '../../connections/metadata.ts';
import { type ErrorDetail, ServiceError } from '../../errors.ts';
import type { Activity, Operation } from '../../journal/operation-log/activity.ts';
import { notingCalls } from '../../journal/operation-log/noting-calls.ts';
import { newConnectionId } from '../../kit/random-id.ts';
import type { LifecycleDeps } from '../deps.ts';
import { admit } from './admit.ts';
import { type AdmittedPlan, ChoiceNeeded, type ConnectionPlan } from './connection-plan.ts';
import { establishConnection } from './establish-connection.ts';
import type { InTransaction } from './write-connection.ts';

/** A request to import existing credentials, and whom they belong to. */
export interface ImportRequest extends AttributeChanges {
  readonly providerConfigKey: string;
  /** The connection ID; undefined: a new one is generated. */
  readonly connectionId?: string | undefined;
  readonly credentials: ImportedCredentials;
  readonly connectionConfig?: JsonObject | undefined;
  readonly metadata?: JsonObject | undefined;
  /** True if the application is sent an auth webhook, provided that its environment enables them. */
  readonly notify: boolean;
}

/** An import that passed all checks. */
interface AdmittedImport {
  readonly request: ImportRequest;
  readonly plan: AdmittedPlan;
}

interface Import {
  readonly request: ImportRequest;
  readonly connectionId: string;
  readonly integration: Integration;
  readonly provider: ReturnType<typeof providerOf>;
  /** The connection with that ID, if there is one. */
  readonly existing: Connection | undefined;
}

/**
 * Runs every check that can reject imported credentials, including the provider's. It writes nothing but the log entry of a
 * refusal.
 *
 * @throws ServiceError `unknown_provider_config`; `not_found` if the provider is gone; `forbidden` for a sandbox in production;
 *   `invalid_body` if the values do not fit the provider; `missing_client_id`; `connection_test_failed`,
 *   `connection_validation_failed` if the provider or the script rejects them; `provider_unavailable`, `server_error`
 */
export async function admitImport(deps: LifecycleDeps, environmentId: number, request: ImportRequest): Promise<AdmittedImport> {
  checkOverride(deps.outbound, request);
  const integration = await requireIntegration(deps, environmentId, request.providerConfigKey);
  const provider = providerOf(deps.catalogue, integration);
  await requireSandboxAllowed(deps.db, environmentId, provider);
  const connectionId = request.connectionId ?? newConnectionId();
  const address = { environmentId, providerConfigKey: integration.uniqueKey, connectionId };
  const existing = request.connectionId === undefined ? undefined : await findConnection(deps, address);
  const one = { request, connectionId, integration, provider, existing };
  checkType(one);
  checkCredentials(one);
  checkConfig(one);
  const log = importLog(deps, one);
  try {
    const plan = await admit(deps, await planOf(deps, one, log));
    if (plan instanceof ChoiceNeeded) throw plan;
    return { request, plan };
  } catch (cause) {
    log.refused(cause);
    throw cause;
  }
}

/**
 * Creates the connection, or replaces the credentials of an existing one. Omitted fields stay unchanged.
 *
 * @throws ServiceError as `establishConnection`
 */
export async function storeImport(deps: InTransaction<LifecycleDeps>, { request, plan }: AdmittedImport): Promise<Connection> {
  const { connection } = await establishConnection(deps, plan);
  await keepOverrideLogin(deps, plan.integration.environmentId, request);
  return connection;
}

async function planOf(deps: LifecycleDeps, one: Import, log: ImportLog): Promise<ConnectionPlan> {
  const { request, integration, provider, connectionId, existing } = one;
  const now = await deps.refreshing.time.current(deps.db);
  const connectionConfig = { ...existing?.connectionConfig, ...request.connectionConfig };
  const input = modeInput(integration, provider, { connectionConfig, rules: deps.plugins.of(provider.slug).auth });
  const imported = storedFromImport(request.credentials, now);
  const credentials = await notingCalls(log.note, () => prepared(deps, input, imported));
  return {
    note: log.note,
    beginOperation: log.beginOperation,
    integration,
    input,
    connectionId,
    existing,
    credentials,
    addedConfig: {},
    // The caller's values take precedence over the provider's.
    fixedConfig: request.connectionConfig ?? {},
    attributes: (current) => ({
      ...changeOf({ tags: request.tags, endUser: request.endUser, webhookUrlOverride: request.webhookUrlOverride }, current),
      ...(request.metadata !== undefined && { metadata: request.metadata }),
    }),
    proof: proofOf(credentials, now),
    whenTaken: 'override',
    notify: request.notify,
  };
}

/** Completes the imported credentials before they are stored, for example with a first token. */
async function prepared(deps: LifecycleDeps, input: ModeInput, imported: StoredCredentials): Promise<StoredCredentials> {
  const { outbound, refreshing } = deps;
  return (await modeOf(imported).prepare?.({ outbound, now: () => refreshing.time.now() }, input, imported)) ?? imported;
}

/** Returns who verifies the credentials: nobody if the token has expired, since it is refreshed later. */
function proofOf(credentials: StoredCredentials, now: Date): ConnectionPlan['proof'] {
  if (modeOf(credentials).isProvenByCall) return 'provider';
  const { expiresAt } = validityOf(credentials);
  return expiresAt !== undefined && expiresAt <= now ? 'none' : 'plugin';
}

const REJECTED = 'the import of a connection was rejected';
const IMPORTED = {
  creation: 'credentials were imported',
  override: 'the credentials were replaced by an import',
} as const;

interface ImportLog extends Pick<ConnectionPlan, 'note' | 'beginOperation'> {
  /** Logs that the import was refused, and that nothing was written. */
  refused(cause: unknown): void;
}

/** Returns a log that keeps notes until the import is written: only then is it known whether the import creates or overrides. */
function importLog({ activity }: { readonly activity: Activity }, { integration, connectionId, existing }: Import): ImportLog {
  const notes: Parameters<Operation['note']>[] = [];
  const { environmentId, uniqueKey: providerConfigKey } = integration;
  const beginOperation: ConnectionPlan['beginOperation'] = (kind) => {
    const operation = activity.begin({ type: 'auth', operation: kind, environmentId, connectionId, providerConfigKey });
    for (const note of notes) operation.note(...note);
    operation.describe({ summary: IMPORTED[kind] });
    return operation;
  };
  return {
    note: (...note) => notes.push(note),
    beginOperation,
    refused: (cause) => {
      const operation = beginOperation(existing === undefined ? 'creation' : 'override');
      const isExpected = cause instanceof ServiceError;
      operation.note('error', REJECTED, isExpected ? { errorCode: cause.code, reason: cause.message } : {});
      operation.describe(
        isExpected ? { summary: cause.message, errorCode: cause.code } : { summary: REJECTED, errorCode: 'server_error' },
      );
      operation.end('failure');
    },
  };
}

function checkType({ request, provider }: Import): void {
  const { type } = request.credentials;
  const mode = provider.definition.auth_mode;
  if (type !== mode)
    refuse(`the provider "${provider.slug}" needs credentials of the type ${mode}, not ${type}`, 'credentials', 'type');
}

/** Checks that the credentials can be sent in headers; otherwise every call would fail. */
function checkCredentials({ request, provider }: Import): void {
  const members = Object.entries(request.credentials);
  const texts = members.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  const faults = checkSendable(provider.definition, Object.fromEntries(texts));
  if (faults.length === 0) return;
  const details = faults.map((fault) => ({ ...fault, path: ['credentials', ...fault.path] }));
  throw invalid(faults.map(({ message }) => message).join(' '), details);
}

/** Checks the configuration, merged with that of an existing connection. */
function checkConfig({ request, provider, existing }: Import): void {
  const whole = { ...existing?.connectionConfig, ...request.connectionConfig };
  const faults = checkFields(provider.definition.connection_config, whole, { allowUnknown: true });
  if (faults.length > 0) {
    const details = faults.map((fault) => ({ ...fault, path: ['connection_config', ...fault.path] }));
    throw invalid(faults.map(({ message }) => message).join(' '), details);
  }
  if (jsonBytes(whole) > MAX_OBJECT_BYTES)
    refuse(`the configuration would have more than ${MAX_OBJECT_BYTES / 1024} KB`, 'connection_config');
}

function refuse(message: string, ...path: string[]): never {
  throw invalid(message, [{ code: 'invalid_value', message, path }]);
}

function invalid(message: string, details: readonly ErrorDetail[]): ServiceError {
  return new ServiceError('invalid_body', message, { details });
}
