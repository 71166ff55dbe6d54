/** How far a definition has been shown to work; each level includes those below it. */
export const PROOF = {
  /** Somebody wrote the definition. The date, if any, is when it was last compared with the provider's documentation. */
  stated: 0,
  /** `test/contract` of this release drives it against a stand-in for the provider. The date means the same as for `stated`. */
  driven: 1,
  /** `provider probe` called its addresses without credentials, and the responses were as stated. The date is that of the probe. */
  probed: 2,
  /** The provider answered a call of an integration with 2xx. The date is that of the latest such call, or a few minutes before. */
  answered: 3,
} as const;

export interface Proof {
  readonly level: (typeof PROOF)[keyof typeof PROOF];
  /** A date, `YYYY-MM-DD`; null when unknown. */
  readonly at: string | null;
}

/** Returns the proof that a provider's files give, at most `driven`; it is the same for every caller. */
export function proofOfFiles(checked: string | undefined, isBundled: boolean): Proof {
  return { level: isBundled ? PROOF.driven : PROOF.stated, at: checked ?? null };
}
