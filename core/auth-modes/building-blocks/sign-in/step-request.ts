import { compilePattern, type ProviderDefinition } from '#contract';
import { placeholdersOf, TemplateError } from '../../../kit/template.ts';
import { fillHeaders, fillJson, fillProviderUrl, type TemplateSource } from '../provider-template.ts';
import { encodedBody, getRequest, type TokenRequest, tokenHeaders } from '../token-endpoint/token-call.ts';

/**
 * Maximum length of a host name (RFC 1035 §2.3.4). It is checked before the pattern is matched, which can take time proportional
 * to the square of the length.
 */
const MAX_HOST_CHARACTERS = 255;

/** One call of a sign-in, as the definition describes it. */
export interface SignInStep
  extends Pick<ProviderDefinition, 'token_url' | 'token_request_method' | 'token_params' | 'token_headers' | 'body_format'> {
  readonly host_pattern?: string | undefined;
}

/** @throws TemplateError if a value of the request is missing or not allowed */
export function stepRequest(step: SignInStep, source: TemplateSource): TokenRequest {
  const { token_request_method: method = 'POST' } = step;
  const url = stepUrl(step, source);
  const params = fillJson(step.token_params, source);
  const headers = fillHeaders(step.token_headers, source);
  if (method === 'GET') return getRequest(url, headers, params);
  return { url, headers: { ...tokenHeaders(step), ...headers }, body: encodedBody(step, params) };
}

/**
 * Returns the step's URL. A host that comes from an earlier response must match the step's pattern, since secrets are sent to
 * that host.
 *
 * @throws TemplateError if it does not match, or a value of the URL is missing or not allowed
 */
function stepUrl({ token_url: template = '', host_pattern: pattern }: SignInStep, source: TemplateSource): URL {
  const url = fillProviderUrl(template, source);
  const { host } = url;
  if (pattern === undefined || (host.length <= MAX_HOST_CHARACTERS && compilePattern(pattern).test(host))) return url;
  throw new TemplateError(placeholdersOf(template)[0] ?? template, 'invalid');
}
