import { isLoopback } from '../../kit/loopback.ts';
import type { ServerMetadata } from '../building-blocks/server-metadata/index.ts';

/** Where a client with a secret sends it, by its `token_endpoint_auth_method`. */
export const SECRET_PLACES: Readonly<Partial<Record<string, 'basic' | 'body'>>> = {
  client_secret_basic: 'basic',
  client_secret_post: 'body',
};

/** What a client says of itself (RFC 7591 §2), when it is registered or in its document. */
export interface ClientMetadata {
  readonly client_name: string;
  readonly application_type: 'native' | 'web';
  readonly redirect_uris: readonly [string];
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
  readonly token_endpoint_auth_method: string;
  readonly scope?: string;
}

/** What a client will ask for. */
export interface ClientRequests {
  readonly redirectUri: string;
  /** Some servers grant no others than those that a client was registered with. */
  readonly scopes: readonly string[];
}

/** Users read the host to which their browser is sent back: nothing else is known of who asks. */
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
 * OpenID Connect Registration 1.0 §2, which the MCP specification wants (2026-07-28, "Application Type and Redirect URI
 * Constraints"): servers refuse the loopback addresses of a development machine to a client that is `web`, their default.
 */
function applicationType(redirectUri: string): ClientMetadata['application_type'] {
  return isLoopback(new URL(redirectUri).hostname) ? 'native' : 'web';
}

/** A client that can keep a secret has one, if the server lets it (RFC 8414 §2: `client_secret_basic` unless it says so). */
export function authMethodAt({ tokenEndpointAuthMethods: supported = ['client_secret_basic'] }: ServerMetadata): string {
  return Object.keys(SECRET_PLACES).find((method) => supported.includes(method)) ?? 'none';
}

/** The document behind a client ID that is its URL (draft-ietf-oauth-client-id-metadata-document): a client without a secret. */
export function clientDocument({ url, redirectUri }: { readonly url: string; readonly redirectUri: string }) {
  return { client_id: url, ...clientMetadata({ redirectUri, scopes: [] }, 'none') };
}
