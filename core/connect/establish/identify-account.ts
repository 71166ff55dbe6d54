import { decidingFieldsOf } from '#contract';
import { TokenFailure } from '../../auth-modes/auth-mode.ts';
import { fillProviderUrl } from '../../auth-modes/building-blocks/provider-template.ts';
import { tokenSet } from '../../auth-modes/token-set.ts';
import { callHook } from '../../catalogue/plugins/call-hook.ts';
import type { Connection, StoredAccount } from '../../connections/connection.ts';
import { connectionFacts } from '../../connections/connection-facts.ts';
import { readAccount } from '../../connections/provider-account.ts';
import type { CallDeps } from '../../credentials/api-call.ts';
import { callApi, readJson } from '../../credentials/api-call.ts';
import { ServiceError } from '../../errors.ts';
import { OutboundError } from '../../kit/outbound.ts';
import { TemplateError } from '../../kit/template.ts';
import { type AccountQuestion, questionOf } from './account-question.ts';
import type { ConnectionPlan } from './connection-plan.ts';

const TIMEOUT_MS = 10_000;

/**
 * Asks the provider whose account the new credentials are for. It never rejects a connection: a connection works without.
 *
 * @param connection as it would be stored, with everything that was discovered
 * @returns null if the provider does not say
 */
export async function identifyAccount(
  deps: CallDeps,
  plan: ConnectionPlan,
  connection: Connection,
): Promise<StoredAccount | null> {
  const { identify } = deps.plugins.of(plan.input.provider).connection ?? {};
  try {
    const question =
      identify === undefined
        ? await questionOf(deps, { ...plan.input, connectionConfig: connection.connectionConfig })
        : undefined;
    if (identify === undefined && question === undefined) return null;
    const account = question === undefined ? await askPlugin(deps, plan, connection) : await askApi(deps, question, connection);
    if (account !== undefined) return account;
    noteUnknown(plan, 'the response has no usable ID');
  } catch (error) {
    const isExpected = isOfProvider(error);
    deps.log[isExpected ? 'warn' : 'error']('an account could not be identified', { provider: plan.input.provider, error });
    noteUnknown(plan, isExpected ? error.message : 'the call failed');
  }
  return null;
}

async function askPlugin(deps: CallDeps, { input }: ConnectionPlan, connection: Connection): Promise<StoredAccount | undefined> {
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
  deps: CallDeps,
  { input, call, paths, server }: AccountQuestion,
  { credentials }: Connection,
): Promise<StoredAccount | undefined> {
  const response = await callApi(deps, { input, credentials }, { ...call, timeoutMs: TIMEOUT_MS });
  const account = response.status >= 200 && response.status < 300 ? readAccount(readJson(response), paths) : undefined;
  const isOneOfMany = decidingFieldsOf(server, input.definition).length > 0;
  return account && (isOneOfMany ? { ...account, origin: fillProviderUrl(server, input).origin } : account);
}

function isOfProvider(error: unknown): error is Error {
  return [ServiceError, OutboundError, TemplateError, TokenFailure].some((kind) => error instanceof kind);
}

function noteUnknown({ note }: ConnectionPlan, reason: string): void {
  note('warn', 'it is not known whose account this is', { reason });
}
