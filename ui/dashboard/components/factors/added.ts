export const FACTORS = 'api/ui/me/factors';

/** A factor that was enrolled. */
export interface Added {
  /** The recovery codes, which come with the first factor; null for others. */
  readonly codes: readonly string[] | null;
  /** The confirmation that is shown to the member. */
  readonly text: string;
}
