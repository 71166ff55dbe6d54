import { effectiveDefinition, type ProviderDefinition } from '#contract';
import type { ModeInput } from '../../auth-modes/auth-mode.ts';
import { withDiscoveredEndpoints } from '../../auth-modes/building-blocks/discovered-endpoints.ts';
import { requestedScopes } from '../../auth-modes/building-blocks/scopes.ts';
import type { ApiCall } from '../../credentials/api-call.ts';
import type { Outbound } from '../../kit/outbound.ts';

/** OpenID Connect Core §5.1 */
const OPENID_ACCOUNT = { id: 'sub', name: 'name', email: 'email', picture: 'picture' } as const;

/** A call of the provider's API that says whose account it is. */
export interface AccountQuestion {
  readonly input: ModeInput;
  readonly call: ApiCall;
  /** Paths in the response. */
  readonly paths: NonNullable<ProviderDefinition['identity']>['account'];
  /** The URL whose fields say which of the provider's servers it is: an ID is unique at one of them only. */
  readonly server: string;
}

/**
 * What the definition says in `identity`, else the UserInfo endpoint of an OpenID provider if the token is one for it.
 *
 * @returns undefined if the provider cannot be asked
 * @throws TokenFailure if the endpoint has to be discovered and cannot be
 */
export async function questionOf(deps: { readonly outbound: Outbound }, input: ModeInput): Promise<AccountQuestion | undefined> {
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
