const SECOND_MS = 1_000;

interface Kind {
  lines: number;
}

/** Limits how many lines of one kind are written in a second. */
export class LineLimit {
  readonly #perSecond: number;
  readonly #kinds = new Map<string, Kind>();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /**
   * Returns whether to write one more line.
   *
   * @param onMore called at the end of the second with the number of lines that were not written, unless it is zero
   */
  admits(name: string, onMore: (count: number) => void): boolean {
    const kind = this.#kinds.get(name) ?? this.#begin(name, onMore);
    kind.lines += 1;
    return kind.lines <= this.#perSecond;
  }

  #begin(name: string, onMore: (count: number) => void): Kind {
    const kind = { lines: 0 };
    this.#kinds.set(name, kind);
    const end = () => {
      this.#kinds.delete(name);
      if (kind.lines > this.#perSecond) onMore(kind.lines - this.#perSecond);
    };
    setTimeout(end, SECOND_MS).unref();
    return kind;
  }
}
