import { type Place, placeOf } from './router.ts';

/** The part of the browser's `history` that is used. */
interface BrowserHistory {
  readonly state: unknown;
  scrollRestoration: 'auto' | 'manual';
  pushState(state: unknown, unused: string, url: string): void;
  replaceState(state: unknown, unused: string, url: string): void;
}

/** The parts of the browser that navigation needs. */
export interface HistoryPorts {
  /** The base URL of the pages, with a slash at its end. */
  readonly base: string;
  readonly history: BrowserHistory;
  readonly href: () => string;
  readonly scrollY: () => number;
}

/**
 * How the current place was reached: `first` by loading the document, `forth` by a link, `back` by the browser's Back or Forward
 * button, `replaced` by a change of the URL alone, e.g. of filters.
 */
export type Arrival = 'first' | 'forth' | 'back' | 'replaced';

/** Knows the current place in the dashboard, and goes to other places without reloading the document. */
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
    // The browser would restore the scroll position too early, before the rows of a list are rendered.
    ports.history.scrollRestoration = 'manual';
  }

  /** How far the current page was scrolled when it was left, in pixels; 0 when it was not visited before. */
  get scrollTop(): number {
    const state: unknown = this.#ports.history.state;
    if (typeof state !== 'object' || state === null || !('scrollTop' in state)) return 0;
    return typeof state.scrollTop === 'number' ? state.scrollTop : 0;
  }

  /** Goes to another page. @param href relative to the base */
  go(href: string): void {
    this.remember();
    this.#ports.history.pushState({}, '', new URL(href, this.base).href);
    this.#arrive('forth');
  }

  /**
   * Changes the URL without adding a history entry, e.g. for filters, so that the Back button does not step through them one by
   * one.
   */
  replace(href: string): void {
    this.#ports.history.replaceState(this.#ports.history.state, '', new URL(href, this.base).href);
    this.#arrive('replaced');
  }

  /** Saves how far the page is scrolled, so that this position can be restored when the user comes back. */
  remember(): void {
    this.#ports.history.replaceState({ scrollTop: this.#ports.scrollY() }, '', this.#ports.href());
  }

  /** Called after the browser has gone back or forward. */
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
