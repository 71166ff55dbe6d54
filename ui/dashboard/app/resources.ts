import { ApiError } from '../../kit/api-error.ts';

/** Younger values are not asked for again when a page is shown or the window gets the focus. */
const FRESH_MS = 5_000;
const PAUSES_MS = [400, 1_500];

/** What is known of one address of the service. Every change is a new object. */
export interface Resource<T> {
  /** The last that came, even when it is being asked for again or that has failed. */
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  /** When the value came. */
  readonly loadedAt: Date | undefined;
}

export interface ResourcesOptions {
  readonly read: (path: string, signal: AbortSignal) => Promise<unknown>;
  readonly now: () => Date;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Resolves at once while there is a network. */
  readonly online: () => Promise<void>;
}

interface Entry {
  resource: Resource<unknown>;
  readonly listeners: Set<() => void>;
  loading: AbortController | undefined;
  /** Holds more than one page of a list: asking again would lose the place. */
  isExtended: boolean;
  /** Something has changed since the value came: it is asked for again even if whoever did so has left. */
  isOutdated: boolean;
}

const NOTHING: Resource<never> = { value: undefined, error: undefined, isLoading: false, loadedAt: undefined };

/** What the pages have read: shown at once when it is asked for again, and replaced by what comes. */
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

  /** Loads what is not there or not fresh. What nobody listens to any more is not waited for. */
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

  /** Hears of every change, and of what is watched. */
  observe(observer: () => void): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** What somebody listens to, of the addresses that are wanted. */
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
      // What is not an ApiError is a fault of ours; the page says so, too.
      const told = error instanceof ApiError ? error : new ApiError('server_error', { status: 0 });
      this.#change(entry, { error: told, isLoading: false });
    } finally {
      if (entry.loading === loading) entry.loading = undefined;
    }
  }

  /** What is known of it without asking. @param isExtended more than the service answers there */
  put(path: string, value: unknown, isExtended = false): void {
    const entry = this.#entry(path);
    entry.loading?.abort();
    entry.loading = undefined;
    entry.isExtended = isExtended;
    entry.isOutdated = false;
    this.#change(entry, { value, error: undefined, isLoading: false, loadedAt: this.#options.now() });
  }

  /** Something has changed at every address that begins so: what is in front is asked for again, the rest forgotten. */
  invalidate(prefix: string): void {
    for (const [path, entry] of this.#entries) {
      if (!path.startsWith(prefix)) continue;
      if (entry.listeners.size === 0) this.#entries.delete(path);
      else this.#reload(path, entry);
    }
  }

  /** The window has the focus again, or there is a network again. */
  refresh(): void {
    for (const [path, entry] of this.#entries) {
      if (entry.listeners.size > 0 && !entry.isExtended && this.#isStale(entry)) void this.load(path);
    }
  }

  /** Somebody else signs in. */
  clear(): void {
    for (const entry of this.#entries.values()) entry.loading?.abort();
    this.#entries.clear();
  }

  #reload(path: string, entry: Entry): void {
    // What is on its way may have been read before the change.
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

/** No response, or one of something between here and the service. */
function isPassing({ status }: ApiError): boolean {
  return status === 0 || status === 502 || status === 503 || status === 504;
}
