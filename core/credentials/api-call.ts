import { effectiveDefinition, type JsonTemplate, type ProxyRules } from '#contract';
import type { ModeInput, StoredCredentials } from '../auth-modes/auth-mode.ts';
import { fillJson, fillProviderUrl, fillTexts, type TemplateSource } from '../auth-modes/building-blocks/provider-template.ts';
import { type CredentialHeaders, credentialHeaders, credentialQuery } from '../auth-modes/credential-headers.ts';
import { modeOf } from '../auth-modes/index.ts';
import { tokenSet } from '../auth-modes/token-set.ts';
import type { Plugins } from '../catalogue/plugins/plugins.ts';
import { pluginSignature } from '../catalogue/webhooks/plugin-signature.ts';
import type { Clock } from '../kit/clock.ts';
import { parseJson } from '../kit/exact-json.ts';
import { withLowerCaseNames } from '../kit/header-names.ts';
import type { Logger } from '../kit/logger.ts';
import { type Outbound, type OutboundResponse, poolFor } from '../kit/outbound.ts';

/** A call to the provider's API that a definition declares. All texts are templates. */
export interface ApiCall {
  /** Default: POST with a body, else GET. */
  readonly method?: 'GET' | 'POST' | 'HEAD' | undefined;
  readonly baseUrl: string;
  /** A path below the base URL; empty means the base URL itself. */
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The body, sent as JSON. */
  readonly body?: Readonly<Record<string, JsonTemplate>> | undefined;
  /** Default: the timeout of `Outbound.call`. */
  readonly timeoutMs?: number | undefined;
}

export interface CallDeps {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly plugins: Plugins;
  readonly log: Logger;
}

interface CallingConnection {
  readonly input: ModeInput;
  readonly credentials: StoredCredentials;
}

/**
 * Makes one call to the provider's API with a connection's credentials, placed in the request as in proxied calls. Redirects are
 * not followed.
 *
 * @throws TemplateError, ServiceError if the call cannot be built; OutboundError
 */
export async function callApi(
  deps: CallDeps,
  { input, credentials }: CallingConnection,
  call: ApiCall,
): Promise<OutboundResponse> {
  const { outbound } = deps;
  const mode = modeOf(credentials);
  const definition = effectiveDefinition(input.definition, input.integrationConfig);
  const source = { ...input, definition, credentials: mode.templateValues(credentials) };
  const rules = deps.plugins.of(input.provider).proxy;
  const { fixed, signed } = credentialHeaders(source, credentials, { signedByPlugin: rules?.sign !== undefined });
  const body = call.body && JSON.stringify(fillJson(call.body, source));
  const { timeoutMs, method = body === undefined ? 'GET' : 'POST' } = call;
  const unsigned = {
    method,
    url: apiUrl(call, source),
    headers: withLowerCaseNames([
      ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
      ...fixed.map(({ name, value }) => [name, value] as const),
      ...Object.entries(fillTexts(call.headers, source)),
    ]),
    ...(body !== undefined && { body: Buffer.from(body) }),
  };
  const { url, ...request } =
    signed === undefined
      ? await signedByPlugin(deps, { input, credentials }, { rules, unsigned })
      : signedByMode(deps, signed, unsigned);
  const certificate = mode.certificate?.(credentials, source);
  const pool = poolFor(outbound, { inside: input.inside, certificate });
  return pool.call(url, { ...request, ...(timeoutMs !== undefined && { timeoutMs }) });
}

interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'HEAD';
  readonly url: URL;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

function signedByMode(
  { clock }: CallDeps,
  sign: NonNullable<CredentialHeaders['signed']>,
  { url, headers, ...request }: ApiRequest,
): ApiRequest {
  const path = url.pathname + url.search;
  const signature = sign({ ...request, origin: url.origin, path, headers: Object.entries(headers), at: clock.now() });
  const added = signature.map(({ name, value }) => [name, value] as const);
  return { ...request, url, headers: { ...headers, ...withLowerCaseNames(added) } };
}

async function signedByPlugin(
  deps: CallDeps,
  { input: { provider, connectionConfig, integrationConfig }, credentials }: CallingConnection,
  { rules: { sign, signsBody } = {}, unsigned }: { readonly rules: ProxyRules | undefined; readonly unsigned: ApiRequest },
): Promise<ApiRequest> {
  if (sign === undefined) return unsigned;
  const { body = Buffer.alloc(0), ...request } = unsigned;
  const { headers, query } = await pluginSignature(
    deps,
    {
      rules: { sign, ...(signsBody && { signsBody }) },
      provider,
      credentials: { tokens: tokenSet(credentials), connectionConfig, integrationConfig },
    },
    { request, at: deps.clock.now(), wholeBody: async () => body },
  );
  const url = new URL(unsigned.url);
  for (const [name, value] of query) url.searchParams.set(name, value);
  return { ...unsigned, url, headers: { ...unsigned.headers, ...Object.fromEntries(headers) } };
}

/** Returns the body as JSON; undefined if it is something else, such as a maintenance page. */
export function readJson({ body }: OutboundResponse): unknown {
  try {
    return parseJson(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Builds the URL of a call. Base URL and endpoint are joined while both are templates, so that a filled-in value is never read as
 * a template again.
 */
function apiUrl({ baseUrl, endpoint }: ApiCall, source: TemplateSource): URL {
  const [path = '', query = ''] = baseUrl.split('?', 2);
  const joined = endpoint === '' ? path : `${path.replace(/(?<!\/)\/+$/, '')}/${endpoint.replace(/^\/+/, '')}`;
  const separator = joined.includes('?') ? '&' : '?';
  const url = fillProviderUrl(query === '' ? joined : joined + separator + query, source);
  for (const [name, value] of Object.entries(credentialQuery(source))) url.searchParams.set(name, value);
  return url;
}
