/** A barrier that holds all arrivals until it is opened and reports when the n-th has arrived, for concurrency without sleeps. */
export class Barrier {
  readonly #opened = Promise.withResolvers<void>();
  readonly #watchers = new Map<() => void, number>();
  #arrivals = 0;

  async pass(): Promise<void> {
    this.#arrivals += 1;
    for (const [tell, awaited] of this.#watchers) if (this.#arrivals >= awaited) tell();
    await this.#opened.promise;
  }

  /** Resolves when `count` have arrived in all, including those that were already let through. */
  async arrived(count = 1): Promise<void> {
    if (this.#arrivals >= count) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#watchers.set(resolve, count);
    await promise;
    this.#watchers.delete(resolve);
  }

  /** Lets through everyone who waits and everyone who comes later. */
  open(): void {
    this.#opened.resolve();
  }
}
