/** A round-robin queue: keys take turns, items of one key keep their order. */
export class FairQueue<Item> {
  /** Waiting items by key, in the order of turns: the key served last is at the end. */
  readonly #waiting = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get keys(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  sizeOf(key: string): number {
    return this.#waiting.get(key)?.length ?? 0;
  }

  push(key: string, item: Item): void {
    const items = this.#waiting.get(key);
    if (items === undefined) this.#waiting.set(key, [item]);
    else items.push(item);
    this.#size += 1;
  }

  /** Removes and returns the next item whose key is allowed now. */
  next(mayRun: (key: string) => boolean): Item | undefined {
    const key = this.keys.find(mayRun);
    if (key === undefined) return undefined;
    const items = this.#waiting.get(key) ?? [];
    const item = items.shift();
    this.#waiting.delete(key);
    if (items.length > 0) this.#waiting.set(key, items);
    this.#size -= 1;
    return item;
  }

  /** @returns whether it was queued */
  remove(key: string, item: Item): boolean {
    const items = this.#waiting.get(key) ?? [];
    const at = items.indexOf(item);
    if (at < 0) return false;
    items.splice(at, 1);
    if (items.length === 0) this.#waiting.delete(key);
    this.#size -= 1;
    return true;
  }

  /** Removes all items. */
  drain(): readonly Item[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return all;
  }
}
