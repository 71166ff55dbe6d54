/**
 * Holds every caller of `pass` until it is opened, and reports when the n-th has arrived, so that tests of concurrency need no
 * sleeps.
 */
export class Barrier {
  readonly #opened = Promise.withResolvers<void>();
  readonly #watchers = new Map<() => void, number>();
  #arrivals = 0;

  async pass(): Promise<void> {
    this.#arrivals += 1;
    for (const [tell, awaited] of this.#watchers) if (this.#arrivals >= awaited) tell();
    await this.#opened.promise;
  }

  /** Resolves when `count` callers have arrived in total, including those that have already passed. */
  async arrived(count = 1): Promise<void> {
    if (this.#arrivals >= count) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#watchers.set(resolve, count);
    await promise;
    this.#watchers.delete(resolve);
  }

  /** Releases all waiting callers, and holds none from now on. */
  open(): void {
    this.#opened.resolve();
  }
}
