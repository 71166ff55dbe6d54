import type { JsonObject } from '#contract';
import { type HostFunction, ScriptCallError } from '../../../scripts-runtime/script-run.ts';
import { integrationRecord } from '../../connections/integrations/integration-record.ts';
import { unknownIntegration } from '../../connections/integrations/integrations.ts';
import { openPart } from '../../connections/integrations/secret-fields.ts';
import { registeredAddress, webhookAddress, webhookTagKey } from '../../connections/integrations/webhook-address.ts';
import { ServiceError } from '../../errors.ts';
import { copyWithTexts } from '../../kit/exact-json.ts';
import { environmentById } from '../../tenants/environments/environment-store.ts';
import { readVariables } from '../../tenants/environments/variables.ts';
import type { ScriptDeps } from '../deps.ts';
import type { RunSubject } from '../subject.ts';
import { callProvider } from './call-provider.ts';
import { getMetadata, writeMetadata } from './metadata.ts';
import { getConnection } from './own-connection.ts';
import { type HostFunctions, withUnwrittenMetadata } from './unwritten-metadata.ts';

const NOT_KEPT = 'the connection is being deleted, so metadata written by the script is discarded';

/** The facts that the functions collect while the script runs. */
interface RunFacts {
  /** Messages for the log of the run. */
  readonly notes?: string[];
  /** The values of the variables that the script has read. */
  readonly variables?: Set<string>;
}

/** Returns the functions of `svc` for a script. All act for the run's own connection, and accept only data from the script. */
export function hostFunctionsOf(
  deps: ScriptDeps,
  subject: RunSubject,
  { notes = [], variables = new Set() }: RunFacts = {},
): HostFunctions {
  const functions: HostFunctions = {
    getIntegration: () => getIntegration(deps, subject),
    getConnection: () => getConnection(deps, subject),
    getMetadata: () => getMetadata(deps, subject),
    setMetadata: ([metadata]) => writeMetadata(deps, subject, { metadata, merge: false }),
    updateMetadata: ([metadata]) => writeMetadata(deps, subject, { metadata, merge: true }),
    getVariable: async ([name]) => {
      const value = await getVariable(deps, subject, name);
      if (value !== null) variables.add(value);
      return value;
    },
    proxy: ([request], signal) => callProvider(deps, subject, { request, signal }),
  };
  const guarded = ([name, run]: [string, HostFunction]): [string, HostFunction] => [name, withSafeErrors(deps, name, run)];
  const possible = subject.kind === 'marked' ? withUnwrittenMetadata(functions, () => notes.push(NOT_KEPT)) : functions;
  return Object.fromEntries(Object.entries(possible).map(guarded));
}

/**
 * Reads a variable of the run's own environment; null if there is none.
 *
 * @throws ScriptCallError `invalid_arguments` unless the name is a string
 */
async function getVariable(deps: ScriptDeps, { connection }: RunSubject, name: unknown): Promise<string | null> {
  if (typeof name !== 'string') throw new ScriptCallError('invalid_arguments', 'the name of a variable must be a string');
  const variables = await readVariables(deps, connection.environmentId);
  return variables.find((variable) => variable.name === name)?.value ?? null;
}

/**
 * Wraps a function: errors for API callers are passed to the script, any other becomes an internal error. Results contain no
 * `ExactNumber`.
 */
function withSafeErrors({ log }: ScriptDeps, name: string, run: HostFunction): HostFunction {
  return async (args, signal) => {
    try {
      return copyWithTexts(await run(args, signal));
    } catch (error) {
      if (error instanceof ServiceError) throw new ScriptCallError(error.code, error.message, { status: error.status });
      if (!(error instanceof ScriptCallError) && !signal.aborted)
        log.error('a host function called by a script failed', { name, error });
      throw error;
    }
  };
}

/**
 * Returns the integration's record with its webhook URLs, one for all its connections and one for this connection, and the
 * webhook secret. It contains no other secrets of the app.
 */
async function getIntegration(deps: ScriptDeps, subject: RunSubject): Promise<JsonObject> {
  const { integration } = subject;
  return {
    ...integrationRecord(integration, deps.baseUrl),
    integration_config: openPart(integration.integrationConfig, integration.secretConfig),
    ...(await addressesOf(deps, subject)),
    webhook_secret: integration.client.webhookSecret ?? null,
  };
}

/** Returns the integration's webhook URLs; none if the whole environment is being deleted. */
async function addressesOf(deps: ScriptDeps, { kind, integration, connection }: RunSubject): Promise<JsonObject> {
  const { environmentId, uniqueKey: integrationKey } = integration;
  const environment = await environmentById(deps.db, environmentId);
  const tagKey = await webhookTagKey(deps, environmentId);
  if (environment === undefined || tagKey === undefined) {
    if (kind === 'marked') return {};
    throw unknownIntegration(integrationKey);
  }
  const address = { baseUrl: deps.baseUrl, environmentUuid: environment.uuid, integrationKey };
  return {
    webhook_url: webhookAddress(address),
    connection_webhook_url: registeredAddress(tagKey, { ...address, connectionId: connection.connectionId }),
  };
}
