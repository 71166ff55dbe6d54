import { type EffectiveDefinition, effectiveDefinition, type JsonObject, scopeNames } from '#contract';
import { ServiceError } from '../../errors.ts';
import { newSecret } from '../../kit/random-id.ts';
import type { FlowStart, ModeInput, Redirect } from '../auth-mode.ts';
import { clientIdValue } from '../client-values.ts';
import { filledFromParams } from '../filled-from-params.ts';
import { challengeOf } from '../pkce.ts';
import { fillProviderUrl, fillTexts } from '../provider-template.ts';
import { joinScopes, requestedScopes, scopeParam } from '../scopes.ts';
import { providerParams } from '../token-endpoint/param-names.ts';
import { expectedIssuer } from './issuer.ts';

/**
 * The authorization request (RFC 6749 §4.1.1), with PKCE (RFC 7636) unless the definition says that the provider breaks on it.
 *
 * @throws ServiceError `missing_client_id`; `invalid_query_params` when a URL lacks one of its values
 */
export function begin(input: ModeInput, flow: FlowStart): Redirect {
  if (input.client.clientId === '')
    throw new ServiceError('missing_client_id', 'the integration has no client ID; set its credentials first');
  const definition = effectiveDefinition(input.definition, input.integrationConfig);
  const codeVerifier = definition.disable_pkce ? undefined : newSecret();
  const { url, issuer } = authorizationUrl({ input, flow, definition, codeVerifier });
  return {
    url: url.href,
    secrets: { redirectUri: flow.redirectUri, ...(codeVerifier !== undefined && { codeVerifier }), ...issuer },
  };
}

interface Request {
  readonly input: ModeInput;
  readonly flow: FlowStart;
  readonly definition: EffectiveDefinition;
  readonly codeVerifier: string | undefined;
}

function authorizationUrl(request: Request): { readonly url: URL; readonly issuer: JsonObject } {
  const { input, definition } = request;
  return filledFromParams('the authorization URL', () => {
    const url = fillProviderUrl(definition.authorization_url ?? '', input);
    for (const [name, value] of Object.entries(parameters(request))) url.searchParams.set(name, value);
    return { url, issuer: expectedIssuer(input, definition, url) };
  });
}

/** Later ones win: the definition's, the plugin's, the backend's, and last what the flow's safety rests on. */
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
