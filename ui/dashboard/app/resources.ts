import { ApiError } from '../../kit/api-error.ts';

/** Values younger than this are not requested again when a page is shown or the window gets the focus. */
const FRESH_MS = 5_000;
const PAUSES_MS = [400, 1_500];

/** The state of the resource at one path of the service. Every change creates a new object. */
export interface Resource<T> {
  /** The value received last; it is kept while the resource is requested again, even if that fails. */
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  /** When the value was received. */
  readonly loadedAt: Date | undefined;
}

export interface ResourcesOptions {
  readonly read: (path: string, signal: AbortSignal) => Promise<unknown>;
  readonly now: () => Date;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Resolves as soon as there is a network. */
  readonly online: () => Promise<void>;
}

interface Entry {
  resource: Resource<unknown>;
  readonly listeners: Set<() => void>;
  loading: AbortController | undefined;
  /**
   * True when the value contains more than one response from this path, such as several pages of a list. It is then reloaded
   * only after `invalidate`, since the user would lose their place.
   */
  isExtended: boolean;
  /**
   * True after `invalidate`, until a new value arrives. If the user leaves the page before that, the value is requested again on
   * the next visit.
   */
  isOutdated: boolean;
}

const NOTHING: Resource<never> = { value: undefined, error: undefined, isLoading: false, loadedAt: undefined };

/** A cache of what the pages have read: a known value is shown immediately, and replaced when the new response arrives. */
export class Resources {
  readonly #options: ResourcesOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #observers = new Set<() => void>();

  constructor(options: ResourcesOptions) {
    this.#options = options;
  }

  get(path: string): Resource<unknown> {
    return this.#entries.get(path)?.resource ?? NOTHING;
  }

  /** Listens to a path, and loads its value when it is missing or stale. A request whose last listener has left is aborted. */
  subscribe(path: string, listener: () => void): () => void {
    const entry = this.#entry(path);
    entry.listeners.add(listener);
    if (this.#isStale(entry)) void this.load(path);
    this.#tellObservers();
    return () => {
      entry.listeners.delete(listener);
      this.#tellObservers();
      if (entry.listeners.size > 0) return;
      entry.loading?.abort();
      entry.loading = undefined;
      if (entry.resource.isLoading) this.#change(entry, { isLoading: false });
    };
  }

  /** Calls the observer after every change of a value, and when the set of watched paths changes. */
  observe(observer: () => void): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** Returns the resources of the matching paths that have listeners. */
  watched(isWanted: (path: string) => boolean): readonly Resource<unknown>[] {
    const watched = [...this.#entries].filter(([path, { listeners }]) => listeners.size > 0 && isWanted(path));
    return watched.map(([, { resource }]) => resource);
  }

  async load(path: string): Promise<void> {
    const entry = this.#entry(path);
    if (entry.loading !== undefined) return;
    const loading = new AbortController();
    entry.loading = loading;
    this.#change(entry, { isLoading: true });
    try {
      const value = await this.#readPatiently(path, loading.signal);
      if (entry.loading === loading) this.put(path, value);
    } catch (error) {
      if (loading.signal.aborted) return;
      // Anything but an ApiError is a bug of the dashboard; the page shows that as an error, too.
      const told = error instanceof ApiError ? error : new ApiError('server_error', { status: 0 });
      this.#change(entry, { error: told, isLoading: false });
    } finally {
      if (entry.loading === loading) entry.loading = undefined;
    }
  }

  /** Stores a value without a request. @param isExtended true when it contains more than one response from this path */
  put(path: string, value: unknown, isExtended = false): void {
    const entry = this.#entry(path);
    entry.loading?.abort();
    entry.loading = undefined;
    entry.isExtended = isExtended;
    entry.isOutdated = false;
    this.#change(entry, { value, error: undefined, isLoading: false, loadedAt: this.#options.now() });
  }

  /**
   * Marks all values whose paths have this prefix as outdated: those with listeners are requested again, the others are
   * forgotten.
   */
  invalidate(prefix: string): void {
    for (const [path, entry] of this.#entries) {
      if (!path.startsWith(prefix)) continue;
      if (entry.listeners.size === 0) this.#entries.delete(path);
      else this.#reload(path, entry);
    }
  }

  /** Reloads stale values that have listeners. Called when the window gets the focus again, or there is a network again. */
  refresh(): void {
    for (const [path, entry] of this.#entries) {
      if (entry.listeners.size > 0 && !entry.isExtended && this.#isStale(entry)) void this.load(path);
    }
  }

  /** Forgets everything. Called when another member signs in, or the member signs out. */
  clear(): void {
    for (const entry of this.#entries.values()) entry.loading?.abort();
    this.#entries.clear();
  }

  #reload(path: string, entry: Entry): void {
    // A pending request is aborted, since its response may reflect the state before the change.
    entry.loading?.abort();
    entry.loading = undefined;
    entry.isOutdated = true;
    void this.load(path);
  }

  #entry(path: string): Entry {
    const known = this.#entries.get(path);
    if (known !== undefined) return known;
    const entry: Entry = { resource: NOTHING, listeners: new Set(), loading: undefined, isExtended: false, isOutdated: false };
    this.#entries.set(path, entry);
    return entry;
  }

  #isStale({ resource: { loadedAt, error }, isExtended, isOutdated }: Entry): boolean {
    if (loadedAt === undefined || error !== undefined || isOutdated) return true;
    return !isExtended && this.#options.now().getTime() - loadedAt.getTime() > FRESH_MS;
  }

  #change(entry: Entry, part: Partial<Resource<unknown>>): void {
    entry.resource = { ...entry.resource, ...part };
    for (const listener of [...entry.listeners]) listener();
    this.#tellObservers();
  }

  #tellObservers(): void {
    for (const observer of this.#observers) observer();
  }

  async #readPatiently(path: string, signal: AbortSignal): Promise<unknown> {
    for (let failures = 0; ; failures += 1) {
      try {
        await this.#options.online();
        return await this.#options.read(path, signal);
      } catch (error) {
        const pauseMs = PAUSES_MS[failures];
        if (!(error instanceof ApiError) || !isPassing(error) || pauseMs === undefined) throw error;
        await this.#options.pause(pauseMs, signal);
      }
    }
  }
}

/**
 * Returns whether an error may be temporary: there was no response, or it came from a proxy between the browser and the service.
 */
function isPassing({ status }: ApiError): boolean {
  return status === 0 || status === 502 || status === 503 || status === 504;
}
