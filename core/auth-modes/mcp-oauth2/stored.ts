import type { ReceivedTokens } from '../building-blocks/token-endpoint/token-response.ts';

/**
 * The client that tokens were issued to. Only it can renew them (RFC 6749 §6), so what was registered for a connection is kept
 * with its tokens; the app of an integration is found there (`former-clients.ts`).
 */
export type BoundClient =
  | { readonly from: 'integration'; readonly secretIn?: 'basic' | 'body' }
  /** The client ID is the URL of a document; there is no secret. */
  | { readonly from: 'document'; readonly clientId: string }
  /** Registered by RFC 7591. Without a secret it is a public client. */
  | {
      readonly from: 'registration';
      readonly clientId: string;
      readonly clientSecret?: string;
      readonly secretIn?: 'basic' | 'body';
    };

/** Whose tokens they are, and for what. */
export interface McpGrant {
  /** The authorization server's; its endpoints are in its metadata. */
  readonly issuer: string;
  /** The audience of the tokens (RFC 8707), and of each renewal. */
  readonly resource: string;
  readonly client: BoundClient;
}

export interface StoredMcpOAuth2 extends ReceivedTokens, McpGrant {
  readonly type: 'MCP_OAUTH2';
}
