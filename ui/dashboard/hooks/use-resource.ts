import { useEffect, useReducer } from 'preact/hooks';
import { useApp } from '../context.ts';
import type { Resource } from '../core/resources.ts';

export interface LoadedResource<T> extends Resource<T> {
  reload(): void;
}

/**
 * What the service answers at an address of ours (`api/ui/…`): the last value at once, then the present one. After a change call
 * `resources.invalidate` with the beginning of every address that it concerns.
 *
 * @param path null: nothing is asked for now
 */
export function useResource<T>(path: string | null): LoadedResource<T> {
  const { resources } = useApp();
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (path === null) return;
    const unsubscribe = resources.subscribe(path, () => render(undefined));
    // It may have come between drawing and listening.
    render(undefined);
    return unsubscribe;
  }, [resources, path]);
  // What is asked for is of the type that the caller names: nothing else is read at this address.
  const resource = resources.get(path ?? '') as Resource<T>;
  // Beside a value an error is told by the page's StaleNote, unless what is shown is no longer there.
  const isTold = resource.value !== undefined && resource.error?.status !== 404;
  return { ...resource, error: isTold ? undefined : resource.error, reload: () => path !== null && void resources.load(path) };
}
