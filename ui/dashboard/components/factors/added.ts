export const FACTORS = 'api/ui/me/factors';

/** A newly enrolled factor. */
export interface Added {
  /** The recovery codes, which are created with the member's first factor; null for other factors. */
  readonly codes: readonly string[] | null;
  /** The confirmation that is shown to the member. */
  readonly text: string;
}
