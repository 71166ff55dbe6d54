/** One step of a rehearsal. */
export interface RehearsalStep {
  readonly name: string;
  /** `not_applicable`: the definition declares nothing of the kind; `not_walked`: it does, and nothing here can stand in for it. */
  readonly status: 'ok' | 'failed' | 'not_applicable' | 'not_walked';
  /** The explanation of the status: what was done, what is wrong, or why nothing was done. */
  readonly detail: string;
  readonly file?: string;
  readonly line?: number;
  /** Advice to the author about a failure. */
  readonly advice?: string;
}

/** The end of a step that does not fail; a step that fails throws. */
export type RehearsalOutcome = Pick<RehearsalStep, 'status' | 'detail'>;

export const ok = (detail: string): RehearsalOutcome => ({ status: 'ok', detail });
export const notApplicable = (detail: string): RehearsalOutcome => ({ status: 'not_applicable', detail });

interface FaultPlace {
  /** Path of the field in `provider.json` that is at fault. */
  readonly path?: readonly (string | number)[];
  readonly file?: string;
  readonly line?: number;
  /** Advice to the author. */
  readonly advice?: string;
}

/** A fault in a definition or a plugin, described for its author. */
export class RehearsalFault extends Error {
  override readonly name = 'RehearsalFault';
  readonly place: FaultPlace;

  constructor(message: string, place: FaultPlace = {}) {
    super(message);
    this.place = place;
  }
}
