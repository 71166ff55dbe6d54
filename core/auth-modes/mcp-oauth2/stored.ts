import type { ReceivedTokens } from '../building-blocks/token-endpoint/token-response.ts';

/**
 * The client that tokens were issued to. Only this client can refresh them (RFC 6749 §6), so a client that was registered for a
 * connection is stored with its tokens. If it is the integration's app, which may have been replaced since then,
 * `former-clients.ts` finds it.
 */
export type BoundClient =
  | { readonly from: 'integration'; readonly secretIn?: 'basic' | 'body' }
  /** A client whose ID is the URL of its document; it has no secret. */
  | { readonly from: 'document'; readonly clientId: string }
  /** A client that was registered (RFC 7591). Without a secret it is a public client. */
  | {
      readonly from: 'registration';
      readonly clientId: string;
      readonly clientSecret?: string;
      readonly secretIn?: 'basic' | 'body';
    };

/** The issuer, the audience and the client that tokens are bound to. */
export interface McpGrant {
  /** The issuer of the tokens, whose metadata names the endpoints. */
  readonly issuer: string;
  /** The audience of the tokens (RFC 8707), also sent with each refresh. */
  readonly resource: string;
  readonly client: BoundClient;
}

export interface StoredMcpOAuth2 extends ReceivedTokens, McpGrant {
  readonly type: 'MCP_OAUTH2';
}
