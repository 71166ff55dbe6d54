import { isLoopback } from '../../kit/loopback.ts';
import type { ServerMetadata } from '../building-blocks/server-metadata/index.ts';

/** Where a client sends its secret, for each `token_endpoint_auth_method` that has one. */
export const SECRET_PLACES: Readonly<Partial<Record<string, 'basic' | 'body'>>> = {
  client_secret_basic: 'basic',
  client_secret_post: 'body',
};

/** The metadata of a client (RFC 7591 §2), sent when the client is registered, or published in its document. */
export interface ClientMetadata {
  readonly client_name: string;
  readonly application_type: 'native' | 'web';
  readonly redirect_uris: readonly [string];
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
  readonly token_endpoint_auth_method: string;
  readonly scope?: string;
}

/** The values that a client is going to use in authorization requests. */
export interface ClientRequests {
  readonly redirectUri: string;
  /** The scopes; some servers grant only those that a client was registered with. */
  readonly scopes: readonly string[];
}

/**
 * Returns the metadata of a client. Its name, which users read on the provider's page, is the host to which their browser
 * returns, since nothing else is known about the client.
 */
export function clientMetadata({ redirectUri, scopes }: ClientRequests, method: string): ClientMetadata {
  return {
    client_name: new URL(redirectUri).host,
    application_type: applicationType(redirectUri),
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: method,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
}

/**
 * Returns the application type (OpenID Connect Registration 1.0 §2), which the MCP specification requires (2026-07-28,
 * "Application Type and Redirect URI Constraints"): with the default, `web`, servers refuse the loopback addresses that
 * development machines use as redirect URIs.
 */
function applicationType(redirectUri: string): ClientMetadata['application_type'] {
  return isLoopback(new URL(redirectUri).hostname) ? 'native' : 'web';
}

/**
 * Returns the client authentication method: one with a secret if the server supports that. A server that states no methods
 * supports `client_secret_basic` (RFC 8414 §2).
 */
export function authMethodAt({ tokenEndpointAuthMethods: supported = ['client_secret_basic'] }: ServerMetadata): string {
  return Object.keys(SECRET_PLACES).find((method) => supported.includes(method)) ?? 'none';
}

/**
 * Returns the document of a client that has no secret, and whose client ID is the document's URL
 * (draft-ietf-oauth-client-id-metadata-document).
 */
export function clientDocument({ url, redirectUri }: { readonly url: string; readonly redirectUri: string }) {
  return { client_id: url, ...clientMetadata({ redirectUri, scopes: [] }, 'none') };
}
