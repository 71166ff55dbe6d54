import { type EffectiveDefinition, effectiveDefinition, type JsonObject, scopeNames } from '#contract';
import { ServiceError } from '../../errors.ts';
import { TemplateError } from '../../kit/template.ts';
import { type FlowStart, type ModeDeps, type ModeInput, type Redirect, TokenFailure } from '../auth-mode.ts';
import { clientIdValue } from '../building-blocks/client-values.ts';
import { type Discovered, withDiscoveredEndpoints } from '../building-blocks/discovered-endpoints.ts';
import { filledFromParams, unfilled } from '../building-blocks/filled-from-params.ts';
import { challengeOf, newVerifier } from '../building-blocks/pkce.ts';
import { fillProviderUrl, fillTexts } from '../building-blocks/provider-template.ts';
import { joinScopes, requestedScopes, scopeParam } from '../building-blocks/scopes.ts';
import { requirePkce, type ServerMetadata, UnusableDocument } from '../building-blocks/server-metadata/index.ts';
import { providerParams } from '../building-blocks/token-endpoint/param-names.ts';
import { expectedIssuer } from './issuer.ts';

/**
 * Sends the browser to the authorization endpoint, which is discovered if the definition has none.
 *
 * @throws ServiceError like `authorizationRequest`; `provider_unavailable` if the server's metadata cannot be read at the moment,
 *   `connection_test_failed` if there is none or it cannot be used
 */
export async function begin(deps: ModeDeps, input: ModeInput, flow: FlowStart): Promise<Redirect> {
  return authorizationRequest(await discovered(deps, input), flow);
}

/**
 * Builds the authorization request (RFC 6749 §4.1.1), with PKCE (RFC 7636) unless the definition says that the provider does not
 * support it.
 *
 * @throws ServiceError `missing_client_id` if the integration has no client ID; `invalid_query_params` if a value of a URL is
 *   missing
 */
export function authorizationRequest({ input, metadata }: Discovered, flow: FlowStart): Redirect {
  if (input.client.clientId === '')
    throw new ServiceError('missing_client_id', 'the integration has no client ID; set its credentials first');
  const definition = effectiveDefinition(input.definition, input.integrationConfig);
  const codeVerifier = usesPkce(input) ? newVerifier() : undefined;
  const { url, issuer } = authorizationUrl({ input, flow, definition, codeVerifier, metadata });
  return {
    url: url.href,
    secrets: { redirectUri: flow.redirectUri, ...(codeVerifier !== undefined && { codeVerifier }), ...issuer },
  };
}

async function discovered(deps: ModeDeps, input: ModeInput): Promise<Discovered> {
  try {
    const found = await withDiscoveredEndpoints(deps, input);
    if (found.metadata !== undefined && usesPkce(found.input)) requirePkce(found.metadata, 'not denied');
    return found;
  } catch (cause) {
    if (!(cause instanceof TokenFailure)) throw cause;
    if (cause.cause instanceof TemplateError) throw unfilled('the issuer', cause.cause);
    const code = cause instanceof UnusableDocument ? 'connection_test_failed' : 'provider_unavailable';
    throw new ServiceError(code, `the provider's endpoints cannot be discovered: ${cause.message}`, { cause });
  }
}

/** Returns whether to use PKCE. There is nothing to protect if the callback brings only the user's consent, and no code. */
function usesPkce({ definition, integrationConfig }: ModeInput): boolean {
  const { callback, disable_pkce } = effectiveDefinition(definition, integrationConfig);
  return callback?.grant !== 'client_credentials' && disable_pkce !== true;
}

interface Request {
  readonly input: ModeInput;
  readonly flow: FlowStart;
  readonly definition: EffectiveDefinition;
  readonly codeVerifier: string | undefined;
  readonly metadata: ServerMetadata | undefined;
}

function authorizationUrl(request: Request): { readonly url: URL; readonly issuer: JsonObject } {
  const { input, definition, metadata } = request;
  return filledFromParams('the authorization URL', () => {
    const { authorization_url: template } = definition;
    if (template === undefined) throw new ServiceError('connection_test_failed', 'the provider has no authorization endpoint');
    const url = fillProviderUrl(template, input);
    for (const [name, value] of Object.entries(parameters(request))) url.searchParams.set(name, value);
    return { url, issuer: expectedIssuer({ input, definition, authorizationUrl: url, metadata }) };
  });
}

/**
 * Returns the parameters. They are merged in this order, and later ones win: those of the definition, of the plugin and of the
 * application's backend, and last those that make the flow secure.
 */
function parameters({ input, flow, definition, codeVerifier }: Request): Record<string, string> {
  const { client, connectionConfig, rules } = input;
  const scopes = requestedScopes(client, definition);
  const userScope = joinScopes(scopeNames(definition.user_scopes), definition);
  const named = (params: Record<string, string>) =>
    providerParams(params, { names: definition.authorization_param_names, omitted: definition.omit_params?.authorization });
  return {
    ...named({ response_type: 'code', ...scopeParam(client, definition) }),
    ...(userScope !== undefined && { user_scope: userScope }),
    ...fillTexts(definition.authorization_params, { ...input, credentials: clientIdValue(client) }),
    ...rules?.authorizationParams?.({ scopes, connectionConfig }),
    ...flow.authorizationParams,
    ...named({ client_id: client.clientId, redirect_uri: flow.redirectUri, state: flow.state }),
    ...(codeVerifier !== undefined && { code_challenge: challengeOf(codeVerifier), code_challenge_method: 'S256' }),
  };
}
