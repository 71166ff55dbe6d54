/** The owner and the scopes of an API key that makes a request. */
export type KeyCaller =
  | {
      readonly kind: 'environment';
      readonly keyId: number;
      readonly name: string;
      readonly accountId: number;
      readonly environmentId: number;
      readonly scopes: readonly string[];
    }
  | {
      readonly kind: 'account';
      readonly keyId: number;
      readonly name: string;
      readonly accountId: number;
      readonly scopes: readonly string[];
    };

/** A browser with the deprecated public key, which identifies an environment and nothing more. */
export interface PublicKeyCaller {
  readonly kind: 'public_key';
  readonly environmentId: number;
  /** Origins of the pages that may use the key; empty means any. */
  readonly allowedOrigins: readonly string[];
}
