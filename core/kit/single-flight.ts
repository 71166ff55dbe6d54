/** Lets callers who request the same thing at the same time share one promise. */
export class SingleFlight<K, V> {
  readonly #flights = new Map<K, Promise<V>>();

  /**
   * Joins the work that is under way for `key`, or begins it. A failure reaches every caller who joined; the next call after it
   * begins the work anew.
   */
  run(key: K, work: () => Promise<V>): Promise<V> {
    const underWay = this.#flights.get(key);
    if (underWay !== undefined) return underWay;

    const flight = this.#begin(key, work);
    this.#flights.set(key, flight);
    return flight;
  }

  async #begin(key: K, work: () => Promise<V>): Promise<V> {
    // The promise must be in the map before the work can end, since its end removes it from the map.
    await Promise.resolve();
    try {
      return await work();
    } finally {
      this.#flights.delete(key);
    }
  }
}
