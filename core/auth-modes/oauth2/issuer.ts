import type { EffectiveDefinition, JsonObject } from '#contract';
import { fillText, TemplateError } from '../../kit/template.ts';
import { type FlowEnd, ForeignResponse, type ModeInput } from '../auth-mode.ts';
import { fillProviderUrl, providerValues } from '../building-blocks/provider-template.ts';
import type { ServerMetadata } from '../building-blocks/server-metadata/index.ts';

interface Beginning {
  readonly input: ModeInput;
  readonly definition: EffectiveDefinition;
  readonly authorizationUrl: URL;
  /** The metadata of the server; undefined if its endpoints were not discovered. */
  readonly metadata: ServerMetadata | undefined;
}

/**
 * Returns which `iss` the authorization response may carry, fixed when the flow begins: the issuer, if the definition or the
 * integration states one, else the origins of the server's own endpoints. The server's metadata, if it was read, says whether `iss`
 * is required (RFC 9207 §3); otherwise stating an issuer promises that `iss` is sent.
 *
 * @returns `{issuer}`, `{optionalIssuer}` or `{issuerOrigins}`, for the flow's secrets
 * @throws TemplateError when a value of the issuer is missing
 */
export function expectedIssuer({ input, definition, authorizationUrl, metadata }: Beginning): JsonObject {
  if (metadata !== undefined) return metadata.isIssuerSent ? { issuer: metadata.issuer } : { optionalIssuer: metadata.issuer };
  if (definition.issuer !== undefined) return { issuer: fillText(definition.issuer, providerValues(input)) };
  return { issuerOrigins: [authorizationUrl.origin, ...tokenOrigin(input, definition)] };
}

/**
 * Returns the origin of the token URL; none if the host is only known after the authorization: values from the response itself must
 * not vouch for it.
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
 * Checks `iss` (RFC 9207 §2.4). If `iss` is promised a response must have it; an error response without it gains an attacker
 * nothing and is reported as that error. If no issuer is stated, an `iss` in the response must have the server's own origin:
 * otherwise a hostile server that sends its visitors on to an honest one would be sent the honest one's code (RFC 9700 §4.4).
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

/** Compares issuers literally, except that an expected path segment in braces, `{tenant}`, stands for any one segment. */
function isSameIssuer(iss: string, expected: string): boolean {
  if (iss === expected) return true;
  const [parts, wanted] = [iss.split('/'), expected.split('/')];
  return parts.length === wanted.length && wanted.every((want, at) => want === parts[at] || isTenant(want, parts[at], at));
}

/**
 * Returns whether the expected part is a placeholder that matches. Only parts after `https:`, the empty part and the host can be
 * placeholders.
 */
function isTenant(want: string, part: string | undefined, at: number): boolean {
  return at > 2 && /^\{\w+\}$/.test(want) && part !== undefined && /^[\w.~-]+$/.test(part);
}

function mismatch(what: string): ForeignResponse {
  return new ForeignResponse('refused', `the authorization response ${what}`);
}
