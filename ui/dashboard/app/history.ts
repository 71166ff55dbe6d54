import { type Place, placeOf } from './router.ts';

/** As the browser has it. */
interface BrowserHistory {
  readonly state: unknown;
  scrollRestoration: 'auto' | 'manual';
  pushState(state: unknown, unused: string, url: string): void;
  replaceState(state: unknown, unused: string, url: string): void;
}

/** Of the browser. */
export interface HistoryPorts {
  /** Of the pages, with a slash at its end. */
  readonly base: string;
  readonly history: BrowserHistory;
  readonly href: () => string;
  readonly scrollY: () => number;
}

/** How the present place was reached. `first`: the page has just been loaded. */
export type Arrival = 'first' | 'forth' | 'back' | 'replaced';

/** Where the browser is in the dashboard, and how it gets elsewhere without loading the page again. */
export class Navigation {
  readonly base: string;
  readonly #ports: HistoryPorts;
  readonly #listeners = new Set<() => void>();
  place: Place;
  arrival: Arrival = 'first';

  constructor(ports: HistoryPorts) {
    this.#ports = ports;
    this.base = ports.base;
    this.place = this.#read();
    // The browser restores too early: before the rows are there.
    ports.history.scrollRestoration = 'manual';
  }

  /** How far the page was scrolled when it was left; 0 where it is new. */
  get scrollTop(): number {
    const state: unknown = this.#ports.history.state;
    if (typeof state !== 'object' || state === null || !('scrollTop' in state)) return 0;
    return typeof state.scrollTop === 'number' ? state.scrollTop : 0;
  }

  /** @param href relative to the base */
  go(href: string): void {
    this.remember();
    this.#ports.history.pushState({}, '', new URL(href, this.base).href);
    this.#arrive('forth');
  }

  /** The same page with another address: filters, which the back button does not step through one by one. */
  replace(href: string): void {
    this.#ports.history.replaceState(this.#ports.history.state, '', new URL(href, this.base).href);
    this.#arrive('replaced');
  }

  /** Keeps how far the page is scrolled, for when somebody comes back to it. */
  remember(): void {
    this.#ports.history.replaceState({ scrollTop: this.#ports.scrollY() }, '', this.#ports.href());
  }

  /** The browser has gone back or forth. */
  popped(): void {
    this.#arrive('back');
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #arrive(arrival: Arrival): void {
    this.arrival = arrival;
    this.place = this.#read();
    for (const listener of this.#listeners) listener();
  }

  #read(): Place {
    return placeOf(this.#ports.href(), this.base) ?? { path: '', query: new URLSearchParams() };
  }
}
