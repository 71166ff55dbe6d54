import { effectiveDefinition } from '#contract';
import { type OutboundAnswer, OutboundError } from '../../kit/outbound.ts';
import { TemplateError } from '../../kit/template.ts';
import { type ModeDeps, type ModeInput, TokenFailure } from '../auth-mode.ts';
import { fillProviderUrl, fillTexts } from '../provider-template.ts';
import { proveClient } from './client-auth.ts';

/** Below the lease of a refresh, so that a call is over before anyone may take its place. */
const CALL_TIMEOUT_MS = 20_000;
const MAX_ANSWER_BYTES = 1_048_576;

interface TokenCall {
  readonly url: 'token_url' | 'refresh_url';
  /** A default: some providers have a name of their own for it, given in the templates. */
  readonly grantType: string;
  /** `token_params` or `refresh_params` of the definition. */
  readonly templates: Readonly<Record<string, string>> | undefined;
  /** What the call is about; the definition cannot replace it. */
  readonly params: Readonly<Record<string, string>>;
}

/** One request to the token endpoint (RFC 6749 §3.2). Any complete answer is returned, whatever it says. @throws TokenFailure */
export async function callTokenEndpoint(deps: ModeDeps, input: ModeInput, call: TokenCall): Promise<OutboundAnswer> {
  const { url, headers, body } = tokenRequest(input, call);
  try {
    const limits = { timeoutMs: CALL_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES };
    return await deps.outbound.call(url, { method: 'POST', headers, body, ...limits });
  } catch (error) {
    throw error instanceof OutboundError ? brokenCall(error) : error;
  }
}

/** A setting that does not fit can be mended without the user: not a refusal. */
function tokenRequest(input: ModeInput, call: TokenCall): { url: URL; headers: Record<string, string>; body: string } {
  try {
    return buildRequest(input, call);
  } catch (cause) {
    if (!(cause instanceof TemplateError)) throw cause;
    throw new TokenFailure('transient', `the token request cannot be built: ${cause.message}`, { cause });
  }
}

function buildRequest(input: ModeInput, call: TokenCall): { url: URL; headers: Record<string, string>; body: string } {
  const definition = effectiveDefinition(input.definition, input.integrationConfig);
  const client = proveClient(input.client, definition.token_request_auth_method);
  const params = { grant_type: call.grantType, ...fillTexts(call.templates, input), ...call.params, ...client.params };
  const isJson = definition.body_format === 'json';
  return {
    url: fillProviderUrl(definition[call.url] ?? definition.token_url ?? '', input),
    headers: {
      'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      accept: 'application/json',
      // Answers are small; not unpacking them leaves no room for a decompression bomb.
      'accept-encoding': 'identity',
      ...client.headers,
      ...lowerCaseNames(fillTexts(definition.token_headers, input)),
    },
    body: isJson ? JSON.stringify(params) : new URLSearchParams(params).toString(),
  };
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function brokenCall(cause: OutboundError): TokenFailure {
  if (cause.code === 'too_large') return new TokenFailure('malformed', 'the token answer is larger than 1 MiB', { cause });
  if (cause.code === 'address_not_allowed')
    return new TokenFailure('transient', 'the address of the token endpoint is not allowed', { cause });
  return cause.beforeSending
    ? new TokenFailure('transient', 'the token endpoint cannot be reached', { cause })
    : new TokenFailure('unknown', 'the token endpoint did not answer; the request may have been carried out', { cause });
}
