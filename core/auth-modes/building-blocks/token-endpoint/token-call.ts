import { effectiveDefinition, type JsonObject, type ProviderDefinition } from '#contract';
import type { ClientCertificate } from '../../../kit/client-certificate.ts';
import { faultWords } from '../../../kit/fault-words.ts';
import { OutboundError, type OutboundResponse, poolFor } from '../../../kit/outbound.ts';
import { TemplateError } from '../../../kit/template.ts';
import { writeXml } from '../../../kit/write-xml.ts';
import { type ClientSettings, type ModeDeps, type ModeInput, TokenFailure } from '../../auth-mode.ts';
import { clientValues } from '../client-values.ts';
import { fillHeaders, fillJson, fillProviderUrl } from '../provider-template.ts';
import { authenticateClient } from './client-auth.ts';
import { providerParams } from './param-names.ts';
import { withPreviousSecret } from './previous-secret.ts';

/** The default of `ModeDeps.tokenCallMs`, in milliseconds. */
export const TOKEN_CALL_MS = 20_000;
const MAX_RESPONSE_BYTES = 1_048_576;
const RESPONSE_HEADERS = {
  accept: 'application/json',
  // Responses are small, and a response that is not compressed cannot be a decompression bomb.
  'accept-encoding': 'identity',
};

interface TokenCall {
  readonly url: 'token_url' | 'refresh_url' | 'revocation_url' | 'introspection_url';
  /** The grant type; the definition's templates may replace it with the provider's name for it. */
  readonly grantType?: string;
  /** The definition's `token_params` or `refresh_params`. */
  readonly templates: ProviderDefinition['token_params'];
  /** The parameters of the grant, which the definition cannot replace. */
  readonly params: Readonly<Record<string, string>>;
}

export interface TokenRequest {
  /** Default: POST. */
  readonly method?: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly certificate?: ClientCertificate | undefined;
  readonly inside?: string | undefined;
}

/**
 * Sends one request to the token endpoint (RFC 6749 §3.2), or two if `withPreviousSecret` repeats it. Returns any complete
 * response, even an error.
 *
 * @throws TokenFailure if the request cannot be built, or no complete response arrives
 */
export function callTokenEndpoint(deps: ModeDeps, input: ModeInput, call: TokenCall): Promise<OutboundResponse> {
  return withPreviousSecret(deps, input, (asClient) => sendTokenRequest(deps, () => buildRequest(deps, asClient, call)));
}

/**
 * Sends a token request.
 *
 * @param build builds the request, and may throw `TemplateError`
 * @throws TokenFailure if the request cannot be built, or no complete response arrives
 */
export async function sendTokenRequest(
  { outbound, tokenCallMs: timeoutMs = TOKEN_CALL_MS }: ModeDeps,
  build: () => TokenRequest | Promise<TokenRequest>,
): Promise<OutboundResponse> {
  const { method = 'POST', url, headers, body, certificate, inside } = await built(build);
  const limits = { timeoutMs, maxBytes: MAX_RESPONSE_BYTES };
  try {
    const pool = poolFor(outbound, { inside, certificate });
    return await pool.call(url, { method, headers, ...(body !== undefined && { body }), ...limits });
  } catch (error) {
    throw error instanceof OutboundError ? failedCall(error, new URL(url).host) : error;
  }
}

/** Builds the request. A failure is `transient`, not `refused`, since a wrong setting can be corrected without the user. */
async function built(build: () => TokenRequest | Promise<TokenRequest>): Promise<TokenRequest> {
  try {
    return await build();
  } catch (cause) {
    if (!(cause instanceof TemplateError)) throw cause;
    throw new TokenFailure('transient', `the token request cannot be built: ${cause.message}`, { cause });
  }
}

async function buildRequest({ now }: { readonly now: () => Date }, input: ModeInput, call: TokenCall): Promise<TokenRequest> {
  const definition = effectiveDefinition(input.definition, input.integrationConfig);
  const url = tokenUrl(input, definition[call.url] ?? definition.token_url);
  const client = await authenticateClient(input, definition, { url, now: now() });
  const source = { ...input, credentials: clientValues(input.client) };
  const naming = { names: definition.token_param_names, omitted: definition.omit_params?.token };
  const params = {
    ...(call.grantType !== undefined && providerParams({ grant_type: call.grantType }, naming)),
    ...fillJson(call.templates, source),
    ...providerParams({ ...call.params, ...client.params }, naming),
  };
  const headers = { ...client.headers, ...fillHeaders(definition.token_headers, source) };
  const route = { inside: input.inside, certificate: presentedCertificate(input.client, definition) };
  const isForTokens = call.url === 'token_url' || call.url === 'refresh_url';
  if (definition.token_request_method === 'GET' && isForTokens) return { ...getRequest(url, headers, params), ...route };
  return { url, headers: { ...tokenHeaders(definition), ...headers }, body: encodedBody(definition, params), ...route };
}

/**
 * Returns the client certificate to present. A certificate that belongs to assertions is not presented, since a server could take
 * it for the client's authentication.
 */
export function presentedCertificate(
  { certificate, privateKey }: Pick<ClientSettings, 'certificate' | 'privateKey'>,
  { token_request_auth_method: method }: Pick<ProviderDefinition, 'token_request_auth_method'>,
): ClientCertificate | undefined {
  if (certificate === undefined || privateKey === undefined || method === 'private_key_jwt') return undefined;
  return { certificate, privateKey };
}

/** Returns a request with its parameters in the query. @throws TemplateError for a list or an object */
export function getRequest(url: URL, headers: Readonly<Record<string, string>>, params: JsonObject): TokenRequest {
  for (const [name, value] of formFields(params)) url.searchParams.set(name, value);
  return { method: 'GET', url, headers: { ...RESPONSE_HEADERS, ...headers } };
}

/** @throws TemplateError if a value of the URL is missing or not allowed; TokenFailure if the definition has no URL */
export function tokenUrl(input: ModeInput, template: string | undefined): URL {
  if (template === undefined) throw new TokenFailure('transient', 'the provider definition declares no token_url');
  return fillProviderUrl(template, input);
}

const CONTENT_TYPES = { form: 'application/x-www-form-urlencoded', json: 'application/json', xml: 'application/xml' } as const;

/** Returns the headers of every token request. */
export function tokenHeaders({ body_format = 'form' }: Pick<ProviderDefinition, 'body_format'>): Record<string, string> {
  return {
    'content-type': CONTENT_TYPES[body_format],
    ...RESPONSE_HEADERS,
    ...(body_format === 'xml' && { accept: CONTENT_TYPES.xml }),
  };
}

/** @throws TemplateError for a list or an object in a form, and for values that XML cannot hold */
export function encodedBody({ body_format }: Pick<ProviderDefinition, 'body_format'>, params: JsonObject): string {
  if (body_format === 'xml') return writeXml(params);
  return body_format === 'json' ? JSON.stringify(params) : new URLSearchParams(formFields(params)).toString();
}

function formFields(params: JsonObject): [string, string][] {
  return Object.entries(params).map(([name, value]) => {
    if (typeof value === 'object') throw new TemplateError(name, 'invalid');
    return [name, String(value)];
  });
}

function failedCall(cause: OutboundError, host: string): TokenFailure {
  if (cause.code === 'too_large') return new TokenFailure('malformed', 'the token response is larger than 1 MiB', { cause });
  if (cause.code === 'address_not_allowed')
    return new TokenFailure('transient', 'the address of the token endpoint is not allowed', { cause });
  return cause.beforeSending
    ? new TokenFailure('transient', faultWords(cause, host), { cause })
    : new TokenFailure('unknown', `${faultWords(cause, host)}; the token request may have been processed`, { cause });
}
