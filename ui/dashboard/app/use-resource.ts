import { useExternalStore } from '../../kit/use-external-store.ts';
import { useApp } from './context.ts';
import type { Resource } from './resources.ts';

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
  const resource = useExternalStore(
    (onChange) => (path === null ? () => undefined : resources.subscribe(path, onChange)),
    // What is asked for is of the type that the caller names: nothing else is read at this address.
    () => resources.get(path ?? '') as Resource<T>,
    [resources, path],
  );
  // Beside a value an error is told by the page's StaleNote, unless what is shown is no longer there.
  const isTold = resource.value !== undefined && resource.error?.status !== 404;
  return { ...resource, error: isTold ? undefined : resource.error, reload: () => path !== null && void resources.load(path) };
}
