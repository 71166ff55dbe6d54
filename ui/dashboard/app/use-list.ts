import { useState } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';
import { useApp } from './context.ts';
import type { Many } from './replies.ts';
import { useResource } from './use-resource.ts';

export interface List<Row> {
  /** The rows received so far; undefined before the first response. */
  readonly rows: readonly Row[] | undefined;
  readonly total: number | undefined;
  readonly error: ApiError | undefined;
  /** The error of the last attempt to load the next page. */
  readonly moreError: ApiError | undefined;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  reload(): void;
  /** Loads the next page. @returns the index of the first new row; undefined when no page was loaded */
  loadMore(): Promise<number | undefined>;
  /** Changes the rows when newer data arrives from another source, such as a stream. */
  change(edit: (rows: readonly Row[]) => readonly Row[]): void;
}

/** Reads a list of the service page by page. @param path the list's path with its filters, without a cursor */
export function useList<Row>(path: string): List<Row> {
  const { client, resources } = useApp();
  const { value, error, isLoading, reload } = useResource<Many<Row>>(path);
  const [more, setMore] = useState<{ path: string; error: ApiError | undefined }>({ path, error: undefined });
  const cursor = value?.next_cursor ?? null;
  async function loadMore(): Promise<number | undefined> {
    if (value === undefined || cursor === null) return undefined;
    setMore({ path, error: undefined });
    try {
      const next = await client.read<Many<Row>>(`${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`);
      resources.put(path, { ...value, ...next, data: [...value.data, ...next.data] }, true);
      return value.data.length;
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setMore({ path, error: cause });
      return undefined;
    }
  }
  return {
    rows: value?.data,
    total: value?.total,
    error,
    moreError: more.path === path ? more.error : undefined,
    isLoading,
    hasMore: cursor !== null,
    reload,
    loadMore,
    change(edit) {
      // Read from `resources`, not from `value`, since a newer value may have arrived after the last render.
      const now = resources.get(path).value as Many<Row> | undefined;
      if (now !== undefined) resources.put(path, { ...now, data: edit(now.data) }, true);
    },
  };
}
