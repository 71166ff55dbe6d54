import { decidingFieldsOf } from '#contract';
import { fillProviderUrl } from '../auth-modes/provider-template.ts';
import { tokenSet } from '../auth-modes/token-set.ts';
import type { Connection, StoredAccount } from '../connections/connection.ts';
import { connectionFacts } from '../connections/connection-facts.ts';
import { readAccount } from '../connections/provider-account.ts';
import { callApi, readJson } from '../credentials/api-call.ts';
import { ServiceError } from '../errors.ts';
import { OutboundError } from '../kit/outbound.ts';
import { TemplateError } from '../kit/template.ts';
import { callHook } from '../plugin-host/call-hook.ts';
import type { ConnectionPlan } from './connection-plan.ts';
import type { ProofDeps } from './proof-deps.ts';

const TIMEOUT_MS = 10_000;

/**
 * Asks the provider whose account the new credentials are for. It never rejects a connection: a connection works without.
 *
 * @param connection as it would be stored, with everything that was discovered
 * @returns null if the provider does not say
 */
export async function identifyAccount(
  deps: ProofDeps,
  plan: ConnectionPlan,
  connection: Connection,
): Promise<StoredAccount | null> {
  const { identify } = deps.plugins.of(plan.input.provider).connection ?? {};
  if (identify === undefined && plan.input.definition.identity === undefined) return null;
  try {
    const account = identify === undefined ? await askApi(deps, plan, connection) : await askPlugin(deps, plan, connection);
    if (account !== undefined) return account;
    noteUnknown(plan, 'the response has no usable ID');
  } catch (error) {
    const isExpected = error instanceof ServiceError || error instanceof OutboundError || error instanceof TemplateError;
    deps.log[isExpected ? 'warn' : 'error']('an account could not be identified', { provider: plan.input.provider, error });
    noteUnknown(plan, isExpected ? error.message : 'the call failed');
  }
  return null;
}

async function askPlugin(deps: ProofDeps, { input }: ConnectionPlan, connection: Connection): Promise<StoredAccount | undefined> {
  const call = {
    hook: 'connection.identify',
    connection: connectionFacts(connection),
    integrationConfig: input.integrationConfig,
    tokens: tokenSet(connection.credentials),
    subscription: connection.subscription,
    timeoutMs: TIMEOUT_MS,
  };
  return readAccount(await callHook(deps, call, async (ctx) => deps.plugins.of(input.provider).connection?.identify?.(ctx)));
}

async function askApi(
  deps: ProofDeps,
  plan: ConnectionPlan,
  { credentials, connectionConfig }: Connection,
): Promise<StoredAccount | undefined> {
  const input = { ...plan.input, connectionConfig };
  const { identity, proxy } = input.definition;
  const baseUrl = identity?.base_url ?? proxy?.base_url;
  if (identity === undefined || baseUrl === undefined) return undefined;
  const { account: paths, base_url: _, ...call } = identity;
  const response = await callApi(deps, { input, credentials }, { ...call, baseUrl, timeoutMs: TIMEOUT_MS });
  const account = response.status >= 200 && response.status < 300 ? readAccount(readJson(response), paths) : undefined;
  const isOneOfMany = decidingFieldsOf(baseUrl, input.definition).length > 0;
  return account && (isOneOfMany ? { ...account, origin: fillProviderUrl(baseUrl, input).origin } : account);
}

function noteUnknown({ note }: ConnectionPlan, reason: string): void {
  note('warn', 'it is not known whose account this is', { reason });
}
