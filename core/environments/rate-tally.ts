/** Of the limit: how much an instance without traffic yet counts for, when what is left is shared out. */
const BASE_SHARE = 0.05;

/** What all other instances together say of a key. */
interface Elsewhere {
  readonly taken: number;
  readonly kept: number;
  /** How many of them have said something of this minute. */
  readonly speakers: number;
}

const NOWHERE: Elsewhere = { taken: 0, kept: 0, speakers: 0 };

/**
 * The requests of one API key within the running minute, as one instance sees them. It takes no more than it keeps for itself,
 * and keeps nothing that another one keeps: so all together stay within the limit, though none sees what the others do now.
 */
export class RateTally {
  readonly #limit: number;
  #taken = 0;
  #kept = 0;
  #elsewhere = NOWHERE;
  #before = { here: 0, elsewhere: 0 };
  /** As last said to the others, in this minute. */
  #said: { readonly taken: number; readonly kept: number } | undefined;

  /** @param others number of further instances */
  constructor(limit: number, others: number) {
    this.#limit = limit;
    this.#kept = this.#share(others);
  }

  get taken(): number {
    return this.#taken;
  }

  get kept(): number {
    return this.#kept;
  }

  /** What is left of the limit, as far as this instance knows. */
  get left(): number {
    return Math.max(0, this.#limit - this.#taken - this.#elsewhere.taken);
  }

  /** Whether the others do not know how things are here. */
  get isNews(): boolean {
    const isSilent = this.#taken === 0 && this.#elsewhere.taken === 0;
    return !isSilent && (this.#said?.taken !== this.#taken || this.#said.kept !== this.#kept);
  }

  /** @returns false when it is one too many */
  take(): boolean {
    if (this.#taken >= this.#kept) return false;
    this.#taken += 1;
    return true;
  }

  tell(said: { readonly taken: number; readonly kept: number }): void {
    this.#said = said;
  }

  /** @returns whether there were further requests elsewhere */
  learn(elsewhere: Elsewhere = NOWHERE, others = 0): boolean {
    const isMore = elsewhere.taken > this.#elsewhere.taken;
    this.#elsewhere = elsewhere;
    // What somebody keeps who has not spoken yet is not known.
    if (elsewhere.speakers >= others)
      this.#kept = Math.max(this.#taken, Math.min(this.#taken + this.#share(others), this.#limit - elsewhere.kept));
    return isMore;
  }

  /** Begins the next minute. @returns whether there is anything to remember of the one before */
  roll(others: number): boolean {
    this.#before = { here: this.#taken, elsewhere: this.#elsewhere.taken };
    this.#taken = 0;
    this.#elsewhere = NOWHERE;
    this.#said = undefined;
    this.#kept = this.#share(others);
    return this.#before.here + this.#before.elsewhere > 0;
  }

  /** Of what is left, as much as this instance has had of all requests lately: callers keep to the instances they have. */
  #share(others: number): number {
    if (others === 0) return this.left;
    const base = this.#limit * BASE_SHARE;
    const here = this.#taken + this.#before.here + base;
    const elsewhere = this.#elsewhere.taken + this.#before.elsewhere + base * others;
    return Math.ceil(this.left * (here / (here + elsewhere)));
  }
}
