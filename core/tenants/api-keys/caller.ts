/** Whose an API key is. */
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

/** A browser with the deprecated public key, which says no more than which environment is meant. */
export interface PublicKeyCaller {
  readonly kind: 'public_key';
  readonly environmentId: number;
  /** Origins of the pages that may use it; empty: any. */
  readonly allowedOrigins: readonly string[];
}
