import { ApiError } from '../../../kit/api-error.ts';

/** Maximum number of calls at the same time. */
const AT_ONCE = 4;
/** Maximum number of calls for an item to which the service responds that there are too many. */
const MAX_TRIES = 5;
const TOO_MANY = 429;

export interface Failed<Item> {
  readonly item: Item;
  readonly error: ApiError;
}

interface Done<Item, Result> {
  readonly item: Item;
  readonly result: Result;
}

/** The result of a function for several items, each list in the order of the items. */
export interface Ends<Item, Result> {
  readonly done: readonly Done<Item, Result>[];
  readonly failed: readonly Failed<Item>[];
}

interface BulkOptions {
  /** After its end, no further call begins. */
  readonly signal: AbortSignal;
  readonly pause: (ms: number) => Promise<void>;
  /** Called whenever a call has ended, with the number of items that are finished. */
  readonly onProgress: (count: number) => void;
  /** Called when the service asks to wait before the next call. */
  readonly onWait: (seconds: number) => void;
}

/**
 * Calls a function for each item, for at most four at the same time, and collects the errors instead of stopping at one. When the
 * service responds that there are too many requests, all wait as long as it says, and the item is tried again.
 */
export async function inBulk<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
  { signal, pause, onProgress, onWait }: BulkOptions,
): Promise<Ends<Item, Result>> {
  const ends: (Done<Item, Result> | Failed<Item>)[] = [];
  const queue = items.entries();
  let finished = 0;
  let resumed: Promise<void> = Promise.resolve();
  const endOf = async (item: Item, tries: number): Promise<Done<Item, Result> | Failed<Item> | undefined> => {
    await resumed;
    if (signal.aborted) return undefined;
    try {
      return { item, result: await act(item) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status !== TOO_MANY || error.retryAfter === null || tries === MAX_TRIES) return { item, error };
      onWait(error.retryAfter);
      resumed = pause(error.retryAfter * 1_000);
      return endOf(item, tries + 1);
    }
  };
  // The iterator is shared: each worker takes the next item that no other has taken.
  const work = async () => {
    for (const [index, item] of queue) {
      const end = await endOf(item, 1);
      if (end === undefined) return;
      ends[index] = end;
      finished += 1;
      onProgress(finished);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return {
    done: ends.filter((end) => 'result' in end),
    failed: ends.filter((end) => 'error' in end),
  };
}
