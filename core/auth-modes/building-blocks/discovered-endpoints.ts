import { effectiveDefinition, type ProviderDefinition, splitPlaceholder, withDefaults } from '#contract';
import { fillText, placeholdersOf, TemplateError } from '../../kit/template.ts';
import { type ModeDeps, type ModeInput, TokenFailure } from '../auth-mode.ts';
import { fillProviderUrl, providerValues } from './provider-template.ts';
import { type ServerMetadata, serverMetadata, UnusableDocument } from './server-metadata/index.ts';

const ENDPOINTS = {
  authorization_url: 'authorizationEndpoint',
  token_url: 'tokenEndpoint',
  revocation_url: 'revocationEndpoint',
  introspection_url: 'introspectionEndpoint',
  userinfo_url: 'userinfoEndpoint',
} as const satisfies Partial<Record<keyof ProviderDefinition, keyof ServerMetadata>>;

export type EndpointUrl = keyof typeof ENDPOINTS;

export interface Discovered {
  /** The given input, with the discovered endpoints in its definition. */
  readonly input: ModeInput;
  /** The metadata of the authorization server; undefined if nothing had to be discovered. */
  readonly metadata?: ServerMetadata | undefined;
}

/**
 * Adds the URLs that a definition lacks, from the metadata of its issuer (RFC 8414). No metadata is fetched if the definition has
 * no issuer or none of the needed URLs is missing.
 *
 * @param needed Default: the URLs of a code grant. A mode without an authorization URL needs only `token_url`
 * @throws TokenFailure if the metadata cannot be read at the moment, or a value of the issuer is missing; UnusableDocument if the
 *   metadata must not be trusted
 */
export async function withDiscoveredEndpoints(
  deps: Omit<ModeDeps, 'now'>,
  input: ModeInput,
  needed: readonly EndpointUrl[] = ['authorization_url', 'token_url'],
): Promise<Discovered> {
  const definition = effectiveDefinition(input.definition, input.integrationConfig);
  const missing = (Object.keys(ENDPOINTS) as EndpointUrl[]).filter((name) => isUnset(definition[name], input));
  if (definition.issuer === undefined || !needed.some((name) => missing.includes(name))) return { input };
  const metadata = await serverMetadata(deps, issuerOf(input, definition.issuer));
  if (missing.includes('token_url') && metadata.tokenEndpoint === undefined)
    throw new UnusableDocument('the metadata of the authorization server has no token endpoint');
  const found = missing.map((name) => {
    const url = needed.includes(name) ? metadata[ENDPOINTS[name]] : usable(() => metadata[ENDPOINTS[name]]);
    return [name, url === undefined ? undefined : literal(url)] as const;
  });
  const method = definition.token_request_auth_method ?? supportedMethod(metadata);
  const filled = {
    ...input.definition,
    ...Object.fromEntries(found),
    token_request_auth_method: method,
    // The audience is the issuer, not the URL of the token endpoint, which another server could claim for itself
    // (draft-ietf-oauth-rfc7523bis).
    client_assertion: { audience: literal(metadata.issuer), ...definition.client_assertion },
  };
  return { input: { ...input, definition: filled }, metadata };
}

/** Reads a URL that the caller does not need; an unusable value counts as if the server published none. */
function usable(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnusableDocument) return undefined;
    throw error;
  }
}

/** Returns whether a URL is missing from the definition, or needs a setting that the integration does not have. */
function isUnset(template: string | undefined, { definition, integrationConfig }: ModeInput): boolean {
  if (template === undefined) return true;
  const values = withDefaults(definition.integration_config, integrationConfig);
  return placeholdersOf(template).some((name) => {
    const { group, field } = splitPlaceholder(name);
    return group === 'integrationConfig' && !Object.hasOwn(values, field);
  });
}

/**
 * Returns the issuer exactly as the definition states it, since the metadata must contain the same string (RFC 8414 §3.3).
 *
 * @throws TokenFailure if a value of the issuer is missing or not allowed
 */
function issuerOf(input: ModeInput, template: string): string {
  try {
    fillProviderUrl(template, input); // Checks its fields again: the issuer decides where secrets are sent.
    return fillText(template, providerValues(input));
  } catch (cause) {
    if (!(cause instanceof TemplateError)) throw cause;
    throw new TokenFailure('transient', `the issuer could not be determined: ${cause.message}`, { cause });
  }
}

/**
 * Checks that a published URL contains no placeholder, since nothing that a server sends may be filled in as a template.
 *
 * @throws UnusableDocument
 */
function literal(url: string): string {
  if (placeholdersOf(url).length > 0)
    throw new UnusableDocument('a URL in the metadata of the authorization server contains a placeholder');
  return url;
}

/** Returns a client authentication method that the server supports. Default: `client_secret_basic` (RFC 8414 §2). */
function supportedMethod({ tokenEndpointAuthMethods: methods }: ServerMetadata): 'body' | 'basic' {
  return methods?.includes('client_secret_post') ? 'body' : 'basic';
}
