interface TouchDeps {
  readonly flushEveryMs: number;
  /** Writes down that these were used; each ID is there once. */
  readonly write: (ids: readonly number[]) => Promise<void>;
  /** A failed batch is lost: the next use of the same IDs brings another. */
  readonly onError: (error: unknown, count: number) => void;
}

/** Collects the IDs of rows that were used and writes them in batches: no write on the hot path. */
export class BatchedTouch implements AsyncDisposable {
  readonly #deps: TouchDeps;
  readonly #timer: NodeJS.Timeout;
  #used = new Set<number>();
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: TouchDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => this.#startFlush(), deps.flushEveryMs).unref();
  }

  touch(id: number): void {
    this.#used.add(id);
  }

  async flush(): Promise<void> {
    this.#startFlush();
    await this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #startFlush(): void {
    if (this.#used.size === 0) return;
    const ids = [...this.#used];
    this.#used = new Set();
    this.#writing = this.#writing.then(() => this.#write(ids));
  }

  async #write(ids: readonly number[]): Promise<void> {
    try {
      await this.#deps.write(ids);
    } catch (error) {
      this.#deps.onError(error, ids.length);
    }
  }
}
