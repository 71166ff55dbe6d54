/** One step of a rehearsal. */
export interface RehearsalStep {
  readonly name: string;
  /** `not_applicable`: the definition declares nothing of the kind; `not_walked`: it does, and nothing here can stand in for it. */
  readonly status: 'ok' | 'failed' | 'not_applicable' | 'not_walked';
  /** What was done, what is wrong, or why nothing was done. */
  readonly detail: string;
  readonly file?: string;
  readonly line?: number;
  /** What to do about a failure. */
  readonly advice?: string;
}

/** How a step ends that does not fail; one that does throws. */
export type RehearsalOutcome = Pick<RehearsalStep, 'status' | 'detail'>;

export const ok = (detail: string): RehearsalOutcome => ({ status: 'ok', detail });
export const notApplicable = (detail: string): RehearsalOutcome => ({ status: 'not_applicable', detail });

interface FaultPlace {
  /** Of the member in `provider.json`. */
  readonly path?: readonly (string | number)[];
  readonly file?: string;
  readonly line?: number;
  /** What the author should do. */
  readonly advice?: string;
}

/** What is wrong with a definition or a plugin, for its author. */
export class RehearsalFault extends Error {
  override readonly name = 'RehearsalFault';
  readonly place: FaultPlace;

  constructor(message: string, place: FaultPlace = {}) {
    super(message);
    this.place = place;
  }
}
