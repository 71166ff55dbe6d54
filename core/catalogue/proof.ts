/** How far a definition has been shown to work; each level includes those below it. */
export const PROOF = {
  /** Somebody wrote it. The date, if any, is when it was last compared with the provider's documentation. */
  stated: 0,
  /** `test/contract` of this release drives it against a stand-in for the provider. The date as before. */
  driven: 1,
  /** `provider probe` called its addresses without credentials, and the responses were as stated. The date is that of the probe. */
  answered: 2,
  /** There are healthy connections. The date is when credentials of one were last issued, renewed or verified. */
  connected: 3,
} as const;

export interface Proof {
  readonly level: (typeof PROOF)[keyof typeof PROOF];
  /** A date, `YYYY-MM-DD`; null: unknown. */
  readonly at: string | null;
}

/** What the files prove, whoever asks. */
export function proofOfFiles(checked: string | undefined, isBundled: boolean): Proof {
  return { level: isBundled ? PROOF.driven : PROOF.stated, at: checked ?? null };
}
