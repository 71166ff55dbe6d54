import type { ReceivedTokens } from '../building-blocks/token-endpoint/token-response.ts';

/**
 * The client that tokens were issued to. Only it can refresh them (RFC 6749 §6), so a client that was registered for a connection
 * is stored with its tokens; an integration's app is found in `former-clients.ts`.
 */
export type BoundClient =
  | { readonly from: 'integration'; readonly secretIn?: 'basic' | 'body' }
  /** The client ID is the URL of a document; there is no secret. */
  | { readonly from: 'document'; readonly clientId: string }
  /** The client was registered (RFC 7591). Without a secret it is a public client. */
  | {
      readonly from: 'registration';
      readonly clientId: string;
      readonly clientSecret?: string;
      readonly secretIn?: 'basic' | 'body';
    };

/** The issuer, the audience and the client of tokens. */
export interface McpGrant {
  /** The issuer of the tokens; the endpoints are in its metadata. */
  readonly issuer: string;
  /** The audience of the tokens (RFC 8707), also sent with each refresh. */
  readonly resource: string;
  readonly client: BoundClient;
}

export interface StoredMcpOAuth2 extends ReceivedTokens, McpGrant {
  readonly type: 'MCP_OAUTH2';
}
