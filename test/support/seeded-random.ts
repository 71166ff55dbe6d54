import { randomInt } from 'node:crypto';

const MAX_SEED = 2 ** 32 - 1;

/** A generator of pseudorandom numbers (mulberry32). The same seed always produces the same numbers. */
export class SeededRandom {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed;
    this.#state = seed >>> 0;
  }

  /** Returns a number in [0, 1). This is an arrow function so that it can be passed as `random` without its object. */
  readonly next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  /** Returns a whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new RangeError('there is nothing to choose from');
    return choice;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}

/** Runs the body of a randomized test. If it fails, prints its seed; `TEST_SEED=<seed>` repeats the same run. */
export async function withSeededRandom(body: (random: SeededRandom) => Promise<void> | void): Promise<void> {
  const given = process.env['TEST_SEED'];
  const random = new SeededRandom(given === undefined ? randomInt(MAX_SEED) : Number(given));
  try {
    await body(random);
  } catch (error) {
    console.error(`repeat with TEST_SEED=${random.seed}`);
    throw error;
  }
}
