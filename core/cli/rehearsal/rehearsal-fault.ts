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
