import { effectiveDefinition, type JsonTemplate } from '#contract';
import type { ModeInput, StoredCredentials } from '../auth-modes/auth-mode.ts';
import { credentialHeaders, credentialQuery } from '../auth-modes/credential-headers.ts';
import { modeOf } from '../auth-modes/index.ts';
import { fillJson, fillProviderUrl, fillTexts, type TemplateSource } from '../auth-modes/provider-template.ts';
import { withLowerCaseNames } from '../kit/header-names.ts';
import type { OutboundResponse } from '../kit/outbound.ts';
import type { CredentialsDeps } from './deps.ts';

/** A call that a definition declares. All texts are templates. */
export interface ApiCall {
  /** Default: GET, with a body POST. */
  readonly method?: 'GET' | 'POST' | 'HEAD' | undefined;
  readonly baseUrl: string;
  /** A path below the base URL. */
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly body?: Readonly<Record<string, JsonTemplate>> | undefined;
  /** Default: that of `Outbound.call`. */
  readonly timeoutMs?: number | undefined;
}

/**
 * One call to the provider's API with a connection's credentials, in the same places as in proxied calls. Redirects are not
 * followed.
 *
 * @throws TemplateError, ServiceError if it cannot be built; OutboundError
 */
export async function callApi(
  { outbound, clock }: Pick<CredentialsDeps, 'outbound' | 'clock'>,
  { input, credentials }: { readonly input: ModeInput; readonly credentials: StoredCredentials },
  call: ApiCall,
): Promise<OutboundResponse> {
  const mode = modeOf(credentials);
  const definition = effectiveDefinition(input.definition, input.integrationConfig);
  const source = { ...input, definition, credentials: mode.templateValues(credentials) };
  const { fixed, signed } = credentialHeaders(source, credentials);
  const url = apiUrl(call, source);
  const body = call.body && JSON.stringify(fillJson(call.body, source));
  const { method = body === undefined ? 'GET' : 'POST' } = call;
  const unsigned = withLowerCaseNames([
    ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
    ...fixed.map(({ name, value }) => [name, value] as const),
    ...Object.entries(fillTexts(call.headers, source)),
  ]);
  const path = url.pathname + url.search;
  const signedBody = body === undefined ? {} : { body: Buffer.from(body) };
  const request = { method, origin: url.origin, path, headers: Object.entries(unsigned), ...signedBody, at: clock.now() };
  const signature = signed?.(request).map(({ name, value }) => [name, value] as const) ?? [];
  const headers = { ...unsigned, ...withLowerCaseNames(signature) };
  const { timeoutMs } = call;
  const certificate = mode.certificate?.(credentials, source);
  const pool = certificate === undefined ? outbound : outbound.withCertificate(certificate);
  return pool.call(url, {
    method,
    headers,
    ...(body !== undefined && { body }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
}

/** The body as JSON; undefined if it is something else, such as a page about maintenance. */
export function readJson({ body }: OutboundResponse): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Joined while both are templates: what has been filled in is never read as a template again. */
function apiUrl({ baseUrl, endpoint }: ApiCall, source: TemplateSource): URL {
  const [path = '', query = ''] = baseUrl.split('?', 2);
  const joined = `${path.replace(/(?<!\/)\/+$/, '')}/${endpoint.replace(/^\/+/, '')}`;
  const separator = joined.includes('?') ? '&' : '?';
  const url = fillProviderUrl(query === '' ? joined : joined + separator + query, source);
  for (const [name, value] of Object.entries(credentialQuery(source))) url.searchParams.set(name, value);
  return url;
}
