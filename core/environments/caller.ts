/** Who is calling, as far as the credential on the request tells. */
export type Caller =
  | { readonly kind: 'anyone' }
  | {
      readonly kind: 'environment';
      readonly keyId: number;
      readonly accountId: number;
      readonly environmentId: number;
      readonly scopes: readonly string[];
    }
  | { readonly kind: 'account'; readonly keyId: number; readonly accountId: number; readonly scopes: readonly string[] }
  | { readonly kind: 'session'; readonly sessionId: number; readonly environmentId: number; readonly token: string };

/** The environment a request acts in. Routes of the environment plane let nobody else in. */
export function environmentOf(caller: Caller): number {
  if (caller.kind === 'environment' || caller.kind === 'session') return caller.environmentId;
  throw new Error(`a caller of kind ${caller.kind} has no environment`);
}
