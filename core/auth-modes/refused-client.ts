interface Refusal {
  readonly kind: string;
  readonly providerCode: string | undefined;
}

/** Returns whether the provider refused the integration's own client, not the user's grant (RFC 6749 §5.2). */
export function refusesClient({ kind, providerCode = '' }: Refusal): boolean {
  return kind === 'transient' && /^(invalid|unauthorized)_client$/.test(providerCode);
}

/** Returns what to add to the summary of a failed token request. */
export function adviceOn(refusal: Refusal): string {
  return refusesClient(refusal) ? ': it refuses the integration’s client; check its ID and secret' : '';
}
