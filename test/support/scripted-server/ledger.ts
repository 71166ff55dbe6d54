import type { IncomingHttpHeaders } from 'node:http';
import { Barrier } from './barrier.ts';

/** One received request. The entry is appended when the request arrives; its body and outcome are filled in later. */
export interface LedgerEntry {
  readonly at: Date;
  readonly endpoint: string;
  readonly method: string;
  /** The request target as it was sent. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  /** The body, or its first MiB if it is longer. */
  body: Buffer;
  bodyBytes: number;
  bodySha256: string;
  /** The OAuth or query parameters as received. */
  params: Readonly<Record<string, string>>;
  /** The token that the caller presented, identified by the fake provider's numbers for its grant and refresh. */
  presented?: PresentedToken;
  status?: number;
  /** `answered` only if the whole response was handed to the network. */
  outcome: 'unknown' | 'answered';
  /** Resolves when the exchange is over, however it ended. */
  readonly ended: Promise<void>;
}

export interface PresentedToken {
  readonly kind: 'access' | 'refresh';
  /** The number of the grant that the token comes from. */
  readonly family: number;
  /** The number of refreshes of that grant before the token was issued. */
  readonly generation: number;
}

/** An append-only list of the requests that a server received, in order of arrival. */
export class Ledger {
  readonly entries: LedgerEntry[] = [];
  readonly #arrivals = new Map<string, Barrier>();

  append(entry: LedgerEntry): void {
    this.entries.push(entry);
    void this.#counter(entry.endpoint).pass();
  }

  of(endpoint: string): LedgerEntry[] {
    return this.entries.filter((entry) => entry.endpoint === endpoint);
  }

  /** Resolves when the endpoint has received `count` requests in total. */
  arrived(endpoint: string, count = 1): Promise<void> {
    return this.#counter(endpoint).arrived(count);
  }

  #counter(endpoint: string): Barrier {
    const known = this.#arrivals.get(endpoint);
    if (known !== undefined) return known;
    const counter = new Barrier();
    counter.open();
    this.#arrivals.set(endpoint, counter);
    return counter;
  }
}
