/** An integration's app at the provider. Its secrets are sent only to the token, revocation and introspection endpoints. */
export interface ClientSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The requested scopes, in the order that the integration sets. */
  readonly scopes: readonly string[];
  /** The previous secret and private key. They are used if the provider refuses the new ones, until `until` (ISO 8601). */
  readonly previousSecret?: { readonly secret: string; readonly privateKey?: string; readonly until: string };
  /** The app ID and the private key of apps that users install. Default: the client ID and the client secret. */
  readonly appId?: string;
  readonly privateKey?: string;
  /** The page from which the app is installed. */
  readonly appLink?: string;
  /**
   * The certificate (PEM) of the private key. With `private_key_jwt` it is named in assertions; otherwise it is presented on
   * every TLS connection (RFC 8705).
   */
  readonly certificate?: string;
}
