import { ServiceError } from '../errors.ts';

/** Smaller bodies need no room. */
const FREE_BYTES = 64 * 1024;
const TOTAL_BYTES = 64 * 1024 * 1024;
/** How often the largest body fits into the whole. */
const LARGEST_FITS = 3;
/** How long a body waits for room before its sender is asked to come again. */
const WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 10;

/** Who sends a body. */
export interface Sender {
  /** IP address. */
  readonly address: string;
  /** Whether it is known who that is: by credentials in the head, or by a signature later (`BodyRoom.markVerified`). */
  readonly isVerified: boolean;
}

interface BudgetOptions {
  /** Of the largest body that any route takes. */
  readonly largestBytes: number;
  /** Default 10,000. */
  readonly waitMs?: number;
}

interface Waiter {
  readonly room: BodyRoom;
  /** Counts up. */
  readonly arrival: number;
  readonly more: number;
  readonly admit: () => void;
}

/**
 * Bounds the memory of request bodies: a weighted semaphore of bytes for all of one process.
 *
 * Senders that are not verified may hold half of it, one client address a quarter; a single body is always admitted. Of those who
 * wait the address that holds the least goes first, then the order of arrival: a flood from few addresses holds up itself.
 */
export class BodyBudget {
  readonly #totalBytes: number;
  readonly #waitMs: number;
  #held = 0;
  #heldUnverified = 0;
  readonly #heldByAddress = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  #arrivals = 0;
  /** Bodies of unknown length, the oldest first. */
  readonly #growing = new Set<BodyRoom>();

  constructor({ largestBytes, waitMs = WAIT_MS }: BudgetOptions) {
    this.#totalBytes = Math.max(TOTAL_BYTES, LARGEST_FITS * largestBytes);
    this.#waitMs = waitMs;
  }

  /** Room for one body; to be released with its response. */
  open({ address, isVerified }: Sender): BodyRoom {
    return new BodyRoom(this, networkOf(address), isVerified);
  }

  /** Called by rooms. @returns undefined when there is room at once */
  reserve(room: BodyRoom, more: number): Promise<void> | undefined {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let isAdmitted = false;
    let timer: NodeJS.Timeout | undefined;
    const admit = () => {
      isAdmitted = true;
      clearTimeout(timer);
      resolve();
    };
    this.#arrivals += 1;
    const waiter: Waiter = { room, arrival: this.#arrivals, more, admit };
    this.#waiting.add(waiter);
    this.#admitWaiting();
    if (isAdmitted) return undefined;
    timer = setTimeout(() => {
      this.#waiting.delete(waiter);
      reject(new ServiceError('overloaded', 'too many large bodies are arriving', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
      this.#admitWaiting();
    }, this.#waitMs);
    return promise;
  }

  /** Called by rooms. */
  grow(room: BodyRoom): void {
    this.#growing.add(room);
  }

  /** Called by rooms: adds to what is held, or takes away. */
  count({ network, isVerified }: BodyRoom, bytes: number): void {
    this.#held += bytes;
    if (!isVerified) this.#heldUnverified += bytes;
    const held = this.#heldBy(network) + bytes;
    if (held > 0) this.#heldByAddress.set(network, held);
    else this.#heldByAddress.delete(network);
  }

  /** Called by rooms: of one that is released, or verified now. */
  onChange(room: BodyRoom, isReleased: boolean): void {
    if (isReleased) this.#growing.delete(room);
    this.#admitWaiting();
  }

  #admitWaiting(): void {
    for (let next = this.#nextToAdmit(); next !== undefined; next = this.#nextToAdmit()) {
      this.#waiting.delete(next);
      next.room.hold(next.more);
      next.admit();
    }
  }

  /**
   * Looks at each once. Who waits for what all share holds up those behind it: else a large body might never find enough room at
   * a time.
   */
  #nextToAdmit(): Waiter | undefined {
    let verified: Waiter | undefined;
    let unverified: Waiter | undefined;
    for (const waiter of this.#waiting) {
      const { room } = waiter;
      if (this.#isOldestGrowing(room)) return waiter;
      if (!this.#fits(waiter, this.#heldBy(room.network), this.#totalBytes / 4)) continue;
      if (room.isVerified) verified = this.#firstOf(verified, waiter);
      else unverified = this.#firstOf(unverified, waiter);
    }
    const isHalfFull = unverified !== undefined && !this.#fits(unverified, this.#heldUnverified, this.#totalBytes / 2);
    const next = isHalfFull ? verified : this.#firstOf(verified, unverified);
    return next !== undefined && this.#fits(next, this.#held, this.#totalBytes) ? next : undefined;
  }

  /** Whose address holds less, else who came first. */
  #firstOf(one: Waiter | undefined, other: Waiter | undefined): Waiter | undefined {
    if (one === undefined || other === undefined) return one ?? other;
    const difference = this.#heldBy(one.room.network) - this.#heldBy(other.room.network) || one.arrival - other.arrival;
    return difference <= 0 ? one : other;
  }

  /** Else several that each hold a part might wait for each other. */
  #isOldestGrowing(room: BodyRoom): boolean {
    const [oldest] = this.#growing;
    return oldest === room;
  }

  #fits({ room, more }: Waiter, held: number, limit: number): boolean {
    return held === room.bytes || held + more <= limit;
  }

  #heldBy(network: string): number {
    return this.#heldByAddress.get(network) ?? 0;
  }
}

/** What one body holds of the budget. */
export class BodyRoom implements Disposable {
  readonly network: string;
  readonly #budget: BodyBudget;
  #isVerified: boolean;
  #bytes = 0;

  constructor(budget: BodyBudget, network: string, isVerified: boolean) {
    this.#budget = budget;
    this.network = network;
    this.#isVerified = isVerified;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isVerified(): boolean {
    return this.#isVerified;
  }

  /**
   * Makes room for a body of so many bytes in all.
   *
   * @returns undefined when there is room at once
   * @throws ServiceError `overloaded` (rejection) when there is none in time
   */
  take(totalBytes: number): Promise<void> | undefined {
    const more = totalBytes - this.#bytes;
    return totalBytes <= FREE_BYTES || more <= 0 ? undefined : this.#budget.reserve(this, more);
  }

  /** The same for a body whose length is not known: to be called again as it arrives. */
  takeMore(totalBytes: number): Promise<void> | undefined {
    if (totalBytes > Math.max(FREE_BYTES, this.#bytes)) this.#budget.grow(this);
    return this.take(totalBytes);
  }

  /** It is known now who sent it. */
  markVerified(): void {
    if (this.#isVerified) return;
    const bytes = this.#bytes;
    this.#change(-bytes);
    this.#isVerified = true;
    this.#change(bytes);
    this.#budget.onChange(this, false);
  }

  /** Called by the budget. */
  hold(more: number): void {
    this.#change(more);
  }

  [Symbol.dispose](): void {
    this.#change(-this.#bytes);
    this.#budget.onChange(this, true);
  }

  #change(bytes: number): void {
    this.#bytes += bytes;
    this.#budget.count(this, bytes);
  }
}

/** One subscriber has a /64 of IPv6 (RFC 6177): its addresses count as one. @returns IPv4 addresses as they are */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  return [...groups, ...Array(zeros).fill('0'), ...after].slice(0, 4).join(':');
}
