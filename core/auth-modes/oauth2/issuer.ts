import type { EffectiveDefinition, JsonObject } from '#contract';
import { fillText, TemplateError } from '../../kit/template.ts';
import { type FlowEnd, ForeignResponse, type ModeInput } from '../auth-mode.ts';
import { fillProviderUrl, providerValues } from '../building-blocks/provider-template.ts';
import type { ServerMetadata } from '../building-blocks/server-metadata/index.ts';

interface Beginning {
  readonly input: ModeInput;
  readonly definition: EffectiveDefinition;
  readonly authorizationUrl: URL;
  /** The metadata of the authorization server; undefined if its endpoints were not discovered. */
  readonly metadata: ServerMetadata | undefined;
}

/**
 * Decides, when a flow begins, which `iss` its authorization response may have: the issuer that the definition or the integration
 * states or, if there is none, any with the origin of one of the server's endpoints. Whether `iss` is required is stated in the
 * server's metadata, if it was read (RFC 9207 §3); otherwise `iss` is required if an issuer is stated.
 *
 * @returns `{issuer}`, `{optionalIssuer}` or `{issuerOrigins}`, for the flow's secrets
 * @throws TemplateError if a value of the issuer is missing
 */
export function expectedIssuer({ input, definition, authorizationUrl, metadata }: Beginning): JsonObject {
  if (metadata !== undefined) return metadata.isIssuerSent ? { issuer: metadata.issuer } : { optionalIssuer: metadata.issuer };
  if (definition.issuer !== undefined) return { issuer: fillText(definition.issuer, providerValues(input)) };
  return { issuerOrigins: [authorizationUrl.origin, ...tokenOrigin(input, definition)] };
}

/**
 * Returns the origin of the token URL. Returns none if its host is known only after the authorization, since values from a
 * response must not vouch for the same response.
 */
function tokenOrigin(input: ModeInput, { token_url: template = '' }: EffectiveDefinition): string[] {
  try {
    return [fillProviderUrl(template, input).origin];
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}

/**
 * Checks `iss` (RFC 9207 §2.4). If `iss` is required, a response without it is accepted only if it is an error; this gains an
 * attacker nothing, and the error is reported. If no issuer is stated, an `iss` in the response must have the origin of one of
 * the server's endpoints: otherwise a hostile server could redirect users to an honest one, and would be sent the honest server's
 * code (RFC 9700 §4.4).
 *
 * @throws ForeignResponse
 */
export function checkIssuer(query: FlowEnd['query'], { issuer: promised, optionalIssuer, issuerOrigins }: JsonObject): void {
  const iss = query['iss'];
  const expected = promised ?? optionalIssuer;
  if (typeof expected === 'string') {
    if (iss === undefined ? promised === undefined || query['error'] !== undefined : isSameIssuer(iss, expected)) return;
    throw mismatch('is not from the issuer that the provider definition or `integration_config.issuer` states');
  }
  if (iss === undefined || !Array.isArray(issuerOrigins) || issuerOrigins.includes(URL.parse(iss)?.origin)) return;
  throw mismatch(
    'names an issuer (iss) of another origin than the authorization and the token URL; if the provider documents such an ' +
      'issuer, set `integration_config.issuer` to it as documented',
  );
}

/**
 * Compares issuers literally, except that a path segment in braces in the expected issuer, such as `{tenant}`, stands for any
 * segment.
 */
function isSameIssuer(iss: string, expected: string): boolean {
  if (iss === expected) return true;
  const [parts, wanted] = [iss.split('/'), expected.split('/')];
  return parts.length === wanted.length && wanted.every((want, at) => want === parts[at] || isTenant(want, parts[at], at));
}

/**
 * Returns whether a part of the expected issuer is a placeholder that matches. The first three parts (`https:`, the empty part
 * and the host) cannot be placeholders.
 */
function isTenant(want: string, part: string | undefined, at: number): boolean {
  return at > 2 && /^\{\w+\}$/.test(want) && part !== undefined && /^[\w.~-]+$/.test(part);
}

function mismatch(what: string): ForeignResponse {
  return new ForeignResponse('refused', `the authorization response ${what}`);
}
