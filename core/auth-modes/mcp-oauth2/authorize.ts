import { decidingFieldsOf, effectiveDefinition } from '#contract';
import { ServiceError } from '../../errors.ts';
import { OutboundError } from '../../kit/outbound.ts';
import { fillText } from '../../kit/template.ts';
import { type FlowStart, type ModeDeps, type ModeInput, type Redirect, TokenFailure } from '../auth-mode.ts';
import { filledFromParams } from '../building-blocks/filled-from-params.ts';
import { challengeOf, newVerifier } from '../building-blocks/pkce.ts';
import { fillProviderUrl, fillTexts, providerValues } from '../building-blocks/provider-template.ts';
import { requestedScopes } from '../building-blocks/scopes.ts';
import {
  type ProtectedResource,
  protectedResource,
  quoted,
  requirePkce,
  type ServerMetadata,
  serverMetadata,
  UnusableDocument,
} from '../building-blocks/server-metadata/index.ts';
import { clientAt } from './client.ts';
import type { McpFlowSecrets } from './flow-secrets.ts';
import type { BoundClient } from './stored.ts';

/** Timeout of all calls before the redirect together, in milliseconds. It is short because a user waits for them. */
const PATIENCE_MS = 20_000;

/**
 * Finds the authorization server of the MCP server, obtains a client there, and sends the user to it (MCP specification,
 * "Authorization").
 *
 * @throws ServiceError `invalid_query_params` if a value of the MCP server's URL or of the issuer is missing or not allowed;
 *   `missing_client_id` if the integration lacks an app that the server requires, or that app's issuer; `connection_test_failed`
 *   if a server's document must not be trusted or its address not be called, else `provider_unavailable`
 */
export async function begin(deps: ModeDeps, input: ModeInput, flow: FlowStart): Promise<Redirect> {
  const server = filledFromParams('the URL of the MCP server', () => serverUrl(input));
  const wanted = filledFromParams('the issuer', () => wantedIssuer(input));
  return explained(async () => {
    const within = hurried(deps);
    const protection = await protectedResource(within, server);
    const issuer = issuerOf(protection, wanted);
    const metadata = await serverMetadata(within, issuer);
    requirePkce(metadata, 'stated');
    if (wanted === undefined && isChosenByUser(input)) requireOneServer(metadata);
    requireResource(metadata, protection);
    const endpoints = endpointsOf(metadata);
    const scopes = scopesOf(input, protection, metadata);
    const client = await clientAt(within, input, { server: metadata, flow, scopes });
    return redirect({ input, flow, protection, metadata, endpoints, scopes, client });
  });
}

/** @throws TemplateError if a value of the URL is missing or not allowed */
export function serverUrl(input: Pick<ModeInput, 'definition' | 'connectionConfig' | 'integrationConfig'>): URL {
  return fillProviderUrl(input.definition.mcp_server_url ?? '', input);
}

function isChosenByUser({ definition }: ModeInput): boolean {
  const fields = decidingFieldsOf(definition.mcp_server_url ?? '', definition);
  return fields.some(({ group }) => group === 'connection_config');
}

/**
 * Requires that the authorization and the token endpoint have the same origin, unless the server promises `iss`. Without `iss`
 * nothing shows which server issued a code, so a hostile server could redirect users to an honest one, and would then be sent the
 * honest server's code (RFC 9700 §4.4).
 */
function requireOneServer({ isIssuerSent, authorizationEndpoint = '', tokenEndpoint = '' }: ServerMetadata): void {
  if (isIssuerSent || URL.parse(authorizationEndpoint)?.origin === URL.parse(tokenEndpoint)?.origin) return;
  throw new UnusableDocument(
    'the authorization server has endpoints on two hosts and does not promise to name itself in responses (iss); ' +
      'set integration_config.issuer to the issuer if you trust it',
  );
}

/**
 * Returns the issuer that the MCP server must use, if there is one. An integration's own app requires one: its secret may be sent
 * only to the server that knows it, whereas users may choose any MCP server.
 */
function wantedIssuer(input: ModeInput): string | undefined {
  const { issuer } = effectiveDefinition(input.definition, input.integrationConfig);
  if (issuer !== undefined) return fillText(issuer, providerValues(input));
  if (input.client.clientId === '') return undefined;
  const message = 'integration_config.issuer is missing: it names the authorization server that knows the client ID';
  throw new ServiceError('missing_client_id', message);
}

function issuerOf({ issuers }: ProtectedResource, wanted: string | undefined): string {
  if (wanted === undefined) return issuers[0] ?? '';
  if (issuers.includes(wanted)) return wanted;
  const difference = `found ${quoted(issuers)}, configured ${quoted(wanted)}`;
  throw new UnusableDocument(`the MCP server does not use the authorization server that the integration names: ${difference}`);
}

/** Requires that the server issues tokens for the resource; otherwise it could issue tokens for another resource of the user. */
function requireResource({ protectedResources: known }: ServerMetadata, { resource }: ProtectedResource): void {
  if (known === undefined || known.includes(resource)) return;
  throw new UnusableDocument('the authorization server issues no tokens for this MCP server (RFC 9728 §4)');
}

type Endpoints = Readonly<Record<'authorizationEndpoint' | 'tokenEndpoint', string>>;

function endpointsOf({ authorizationEndpoint, tokenEndpoint }: ServerMetadata): Endpoints {
  if (authorizationEndpoint !== undefined && tokenEndpoint !== undefined) return { authorizationEndpoint, tokenEndpoint };
  throw new UnusableDocument('the metadata of the authorization server lacks the authorization endpoint or the token endpoint');
}

/** Limits each call to the time that remains after the previous ones. */
function hurried(deps: ModeDeps): ModeDeps {
  const end = performance.now() + PATIENCE_MS;
  return {
    ...deps,
    get tokenCallMs() {
      return Math.max(1, end - performance.now());
    },
  };
}

interface Authorization {
  readonly input: ModeInput;
  readonly flow: FlowStart;
  readonly protection: ProtectedResource;
  readonly metadata: ServerMetadata;
  readonly endpoints: Endpoints;
  readonly scopes: readonly string[];
  readonly client: BoundClient;
}

function redirect(authorization: Authorization): Redirect {
  const { input, flow, protection, metadata, endpoints, client } = authorization;
  const { authorizationEndpoint, tokenEndpoint } = endpoints;
  const { issuer, isIssuerSent } = metadata;
  const codeVerifier = newVerifier();
  const url = new URL(authorizationEndpoint);
  const fixed = {
    response_type: 'code',
    client_id: client.from === 'integration' ? input.client.clientId : client.clientId,
    redirect_uri: flow.redirectUri,
    state: flow.state,
    resource: protection.resource,
    code_challenge: challengeOf(codeVerifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries({ ...wishes(authorization), ...fixed })) url.searchParams.set(name, value);
  const { redirectUri } = flow;
  const { resource } = protection;
  const secrets: McpFlowSecrets = { redirectUri, codeVerifier, issuer, isIssuerSent, resource, client, tokenEndpoint };
  return { url: url.href, secrets: { ...secrets } };
}

/**
 * Returns the optional parameters. They are merged in this order, and later ones win: the scopes, then the parameters of the
 * definition, of the plugin and of the application's backend.
 */
function wishes({ input, flow, scopes }: Authorization): Record<string, string> {
  return {
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...filledFromParams('the authorization URL', () => fillTexts(input.definition.authorization_params, input)),
    ...input.rules?.authorizationParams?.({ scopes, connectionConfig: input.connectionConfig }),
    ...flow.authorizationParams,
  };
}

/**
 * Returns the scopes to request: those of the integration or of the definition; if there are none, those that the MCP server
 * requires and, if the server supports it, `offline_access`, which yields a refresh token (OpenID Connect Core §11).
 */
function scopesOf(input: ModeInput, protection: ProtectedResource, metadata: ServerMetadata): readonly string[] {
  const chosen = requestedScopes(input.client, input.definition);
  if (chosen.length > 0) return chosen;
  const isOffered = metadata.offersOfflineAccess && !protection.scopes.includes('offline_access');
  return isOffered ? [...protection.scopes, 'offline_access'] : protection.scopes;
}

async function explained(work: () => Promise<Redirect>): Promise<Redirect> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof TokenFailure)) throw cause;
    const isForbidden = cause.cause instanceof OutboundError && cause.cause.code === 'address_not_allowed';
    if (cause instanceof UnusableDocument || isForbidden)
      throw new ServiceError('connection_test_failed', cause.message, { cause });
    throw new ServiceError('provider_unavailable', cause.message, { cause });
  }
}
