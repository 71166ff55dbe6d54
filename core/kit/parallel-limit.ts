/** Lets so many pieces of work run at once; the others begin in the order they came. */
export class ParallelLimit {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(parallel: number) {
    this.#free = parallel;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#begin();
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  async #begin(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }

  /** Who waits longest gets the place at once. */
  #end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
