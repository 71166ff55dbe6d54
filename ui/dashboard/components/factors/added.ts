export const FACTORS = 'api/ui/me/factors';

/** A factor that was enrolled. */
export interface Added {
  /** Recovery codes, with the first one. */
  readonly codes: readonly string[] | null;
  /** That it was. */
  readonly text: string;
}
