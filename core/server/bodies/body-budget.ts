import { ServiceError } from '../../errors.ts';
import { networkOf } from '../client-address.ts';

/**
 * The least number of bytes that is reserved for a body, however small: every request takes more memory than its body's bytes.
 */
const LEAST_BYTES = 1024;
/**
 * Bodies up to this size do not queue behind waiting ones if there is room for them. Only bodies of unknown length that have
 * exceeded it get precedence to grow further (`#growing`).
 */
const SMALL_BYTES = 64 * 1024;
const TOTAL_BYTES = 64 * 1024 * 1024;
/** How many bodies of the largest accepted size must fit into the total at the same time. */
const LARGEST_FITS = 3;
/** How long a body waits for room before its sender gets 503. */
const WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 10;

/** The sender of a body. */
interface Sender {
  /** IP address. */
  readonly address: string;
  /**
   * True if the sender has proved who they are: by credentials in the head, or later by a signature (`BodyRoom.markVerified`).
   */
  readonly isVerified: boolean;
}

/** The reserved memory ("room") of one body, which it holds until it is disposed of. */
export interface BodyRoom extends Disposable {
  /**
   * Reserves room for a body of `totalBytes` in all.
   *
   * @returns undefined when there is room immediately
   * @throws ServiceError `overloaded` (rejection) when no room becomes free in time
   */
  reserve(totalBytes: number): Promise<void> | undefined;
  /** Reserves room for the first `totalBytes` of a body of unknown length: to be called again as more arrive. */
  reserveMore(totalBytes: number): Promise<void> | undefined;
  /** Reserves room without waiting, for a copy that the caller can do without. @returns whether there is room */
  tryReserve(totalBytes: number): boolean;
  /** To be called when the sender has been verified. */
  markVerified(): void;
}

interface BudgetOptions {
  /** The size of the largest body that any route accepts. */
  readonly largestBytes: number;
  /** How long a body waits for room before it is refused. Default: 10,000. */
  readonly waitMs?: number;
}

/** The room that one body holds. */
interface Share {
  readonly network: string;
  isVerified: boolean;
  bytes: number;
}

/** The additional room that a body needs. */
interface WaitingShare {
  readonly share: Share;
  readonly bytes: number;
}

interface Waiter extends WaitingShare {
  readonly admit: () => void;
}

/**
 * Bounds the memory of request bodies: a weighted semaphore of bytes for the whole process.
 *
 * All senders that are not verified may together hold half of it, one client address a quarter; a single body is always admitted.
 * Among waiting bodies, those of the address that holds the least room go first, then the order of arrival decides: a flood from
 * few addresses delays only itself.
 */
export class BodyBudget {
  readonly #totalBytes: number;
  readonly #waitMs: number;
  #held = 0;
  #heldUnverified = 0;
  readonly #heldByNetwork = new Map<string, number>();
  /** In the order of arrival. */
  readonly #waiting = new Set<Waiter>();
  /** Bodies of unknown length that have exceeded `SMALL_BYTES`, the oldest first. */
  readonly #growing = new Set<Share>();

  constructor({ largestBytes, waitMs = WAIT_MS }: BudgetOptions) {
    this.#totalBytes = Math.max(TOTAL_BYTES, LARGEST_FITS * largestBytes);
    this.#waitMs = waitMs;
  }

  open({ address, isVerified }: Sender): BodyRoom {
    const share: Share = { network: networkOf(address), isVerified, bytes: 0 };
    return {
      reserve: (totalBytes) => this.#reserve(share, totalBytes),
      reserveMore: (totalBytes) => {
        if (totalBytes > Math.max(SMALL_BYTES, share.bytes)) this.#growing.add(share);
        return this.#reserve(share, totalBytes);
      },
      tryReserve: (totalBytes) => {
        const wanted = { share, bytes: missingBytes(share, totalBytes) };
        if (wanted.bytes <= 0) return true;
        if (this.#waiting.size > 0 || !this.#hasRoom(wanted)) return false;
        this.#hold(wanted);
        return true;
      },
      markVerified: () => {
        if (share.isVerified) return;
        this.#heldUnverified -= share.bytes;
        share.isVerified = true;
        this.#admitWaiting();
      },
      [Symbol.dispose]: () => {
        // If this body still waits, its sender may be gone: room that it got later would never be released.
        for (const waiter of this.#waiting) if (waiter.share === share) this.#waiting.delete(waiter);
        this.#hold({ share, bytes: -share.bytes });
        this.#growing.delete(share);
        this.#admitWaiting();
      },
    };
  }

  #reserve(share: Share, totalBytes: number): Promise<void> | undefined {
    const wanted = { share, bytes: missingBytes(share, totalBytes) };
    if (wanted.bytes <= 0) return undefined;
    if ((this.#waiting.size === 0 || totalBytes <= SMALL_BYTES) && this.#hasRoom(wanted)) {
      this.#hold(wanted);
      return undefined;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let isAdmitted = false;
    let timer: NodeJS.Timeout | undefined;
    const admit = () => {
      isAdmitted = true;
      clearTimeout(timer);
      resolve();
    };
    const waiter: Waiter = { ...wanted, admit };
    this.#waiting.add(waiter);
    this.#admitWaiting();
    if (isAdmitted) return undefined;
    timer = setTimeout(() => {
      this.#waiting.delete(waiter);
      reject(new ServiceError('overloaded', 'too many bodies are arriving', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
      this.#admitWaiting();
    }, this.#waitMs);
    return promise;
  }

  #admitWaiting(): void {
    for (let next = this.#nextToAdmit(); next !== undefined; next = this.#nextToAdmit()) {
      this.#waiting.delete(next);
      this.#hold(next);
      next.admit();
    }
  }

  #hasRoom(wanted: WaitingShare): boolean {
    return this.#fitsNetwork(wanted) && this.#fitsUnverified(wanted) && this.#fitsTotal(wanted);
  }

  #fitsNetwork(wanted: WaitingShare): boolean {
    return fits(wanted, this.#heldBy(wanted.share.network), this.#totalBytes / 4);
  }

  #fitsUnverified(wanted: WaitingShare): boolean {
    return wanted.share.isVerified || fits(wanted, this.#heldUnverified, this.#totalBytes / 2);
  }

  #fitsTotal(wanted: WaitingShare): boolean {
    return fits(wanted, this.#held, this.#totalBytes);
  }

  /**
   * Returns the next body to admit, looking at each waiting body once. If the chosen one exceeds a limit that all addresses
   * share, the bodies behind it wait, too: otherwise a large body might never find enough room at one time.
   */
  #nextToAdmit(): Waiter | undefined {
    const [oldestGrowing] = this.#growing;
    let next: Waiter | undefined;
    let verified: Waiter | undefined;
    for (const waiter of this.#waiting) {
      const { share } = waiter;
      // The oldest growing body comes first: otherwise several bodies that each hold a part of their room might wait for each
      // other.
      if (share === oldestGrowing) return waiter;
      if (!this.#fitsNetwork(waiter)) continue;
      if (this.#holdsLess(share, next?.share)) next = waiter;
      if (share.isVerified && this.#holdsLess(share, verified?.share)) verified = waiter;
    }
    if (next !== undefined && !this.#fitsUnverified(next)) next = verified;
    return next !== undefined && this.#fitsTotal(next) ? next : undefined;
  }

  #holdsLess({ network }: Share, other: Share | undefined): boolean {
    return other === undefined || this.#heldBy(network) < this.#heldBy(other.network);
  }

  #heldBy(network: string): number {
    return this.#heldByNetwork.get(network) ?? 0;
  }

  /** Takes room, or releases it if `bytes` is negative. */
  #hold({ share, bytes }: WaitingShare): void {
    share.bytes += bytes;
    this.#held += bytes;
    if (!share.isVerified) this.#heldUnverified += bytes;
    const held = this.#heldBy(share.network) + bytes;
    if (held > 0) this.#heldByNetwork.set(share.network, held);
    else this.#heldByNetwork.delete(share.network);
  }
}

function missingBytes(share: Share, totalBytes: number): number {
  return Math.max(LEAST_BYTES, totalBytes) - share.bytes;
}

function fits({ share, bytes }: WaitingShare, held: number, limit: number): boolean {
  return held === share.bytes || held + bytes <= limit;
}
