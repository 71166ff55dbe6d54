/** The reason why a part of a definition did not pass its probe. The message never contains a part of the response. */
export class ProbeFault extends Error {
  override readonly name = 'ProbeFault';
  /** `skipped`: the part cannot be called without credentials, or without the address of a user's own host. */
  readonly outcome: 'failed' | 'skipped';

  constructor(outcome: ProbeFault['outcome'], message: string) {
    super(message);
    this.outcome = outcome;
  }
}
