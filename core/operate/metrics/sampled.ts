/** A read takes up at most this fraction of the time, however long it takes and however often the value is asked for. */
const SHARE = 1 / 60;

interface SampledOptions<T> {
  readonly read: () => Promise<T>;
  /** Called with the error of a read that failed. */
  readonly onFailure: (error: unknown) => void;
  /** Returns milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** A value that is expensive to read: while it is new enough, for the time that reading it took, the last one is returned. */
export class Sampled<T> {
  readonly #options: SampledOptions<T>;
  #last: Promise<T | undefined> | undefined;
  #freshUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: SampledOptions<T>) {
    this.#options = options;
  }

  /** Never rejects. @returns undefined if the read failed */
  get(): Promise<T | undefined> {
    if (this.#last === undefined || this.#options.now() >= this.#freshUntilMs) {
      this.#freshUntilMs = Number.POSITIVE_INFINITY;
      this.#last = this.#read();
    }
    return this.#last;
  }

  async #read(): Promise<T | undefined> {
    const { read, onFailure, now } = this.#options;
    const startedMs = now();
    try {
      const value = await read();
      this.#freshUntilMs = now() + (now() - startedMs) / SHARE;
      return value;
    } catch (error) {
      this.#freshUntilMs = now();
      onFailure(error);
      return undefined;
    }
  }
}
