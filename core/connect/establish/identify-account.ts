import { decidingFieldsOf, effectiveDefinition, type ProviderDefinition } from '#contract';
import { type ModeInput, TokenFailure } from '../../auth-modes/auth-mode.ts';
import { withDiscoveredEndpoints } from '../../auth-modes/building-blocks/discovered-endpoints.ts';
import { fillProviderUrl } from '../../auth-modes/building-blocks/provider-template.ts';
import { requestedScopes } from '../../auth-modes/building-blocks/scopes.ts';
import { tokenSet } from '../../auth-modes/token-set.ts';
import { callHook } from '../../catalogue/plugins/call-hook.ts';
import type { Connection, StoredAccount } from '../../connections/connection.ts';
import { connectionFacts } from '../../connections/connection-facts.ts';
import { readAccount } from '../../connections/provider-account.ts';
import { type ApiCall, type CallDeps, callApi, readJson } from '../../credentials/api-call.ts';
import { ServiceError } from '../../errors.ts';
import { type Outbound, OutboundError } from '../../kit/outbound.ts';
import { TemplateError } from '../../kit/template.ts';
import type { ConnectionPlan } from './connection-plan.ts';

/** The paths of the account in a UserInfo response (OpenID Connect Core §5.1). */
const OPENID_ACCOUNT = { id: 'sub', name: 'name', email: 'email', picture: 'picture' } as const;

const TIMEOUT_MS = 10_000;

/**
 * Asks the provider whose account the new credentials are for. It never rejects a connection, since a connection works even if
 * its account is unknown.
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
    deps.log[isExpected ? 'warn' : 'error']('the provider account of a connection could not be identified', {
      provider: plan.input.provider,
      error,
    });
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
  note('warn', 'the provider account could not be identified', { reason });
}

/** A call to the provider's API whose response says whose account it is. */
interface AccountQuestion {
  readonly input: ModeInput;
  readonly call: ApiCall;
  /** The paths of the account's fields in the response. */
  readonly paths: NonNullable<ProviderDefinition['identity']>['account'];
  /** The URL whose fields say which of the provider's servers is called: an account ID is unique on one of them only. */
  readonly server: string;
}

/**
 * Returns the call that the definition's `identity` describes, else the one to the UserInfo endpoint of an OpenID provider if the
 * token has the scope `openid`.
 *
 * @returns undefined if the provider cannot be asked
 * @throws TokenFailure if the UserInfo endpoint has to be discovered and cannot be
 */
async function questionOf(deps: { readonly outbound: Outbound }, input: ModeInput): Promise<AccountQuestion | undefined> {
  const { identity, proxy } = input.definition;
  if (identity === undefined) return openIdQuestion(deps, input);
  const { account: paths, base_url: baseUrl = proxy?.base_url, ...call } = identity;
  return baseUrl === undefined ? undefined : { input, call: { ...call, baseUrl }, paths, server: baseUrl };
}

async function openIdQuestion(
  { outbound }: { readonly outbound: Outbound },
  given: ModeInput,
): Promise<AccountQuestion | undefined> {
  if (!requestedScopes(given.client, given.definition).includes('openid')) return undefined;
  const { input, metadata } = await withDiscoveredEndpoints({ outbound }, given);
  const { userinfo_url: baseUrl, issuer } = effectiveDefinition(input.definition, input.integrationConfig);
  if (baseUrl === undefined) return undefined;
  const server = metadata === undefined || issuer === undefined ? baseUrl : issuer;
  return { input, call: { baseUrl, endpoint: '' }, paths: OPENID_ACCOUNT, server };
}
