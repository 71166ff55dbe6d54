import { useExternalStore } from '../../kit/use-external-store.ts';
import { useApp } from './context.ts';
import type { Resource } from './resources.ts';

export interface LoadedResource<T> extends Resource<T> {
  reload(): void;
}

/**
 * Reads from a path of the private interface (`api/ui/…`): returns the last known value immediately, then the current one. After
 * a change, call `resources.invalidate` with the common prefix of all affected paths.
 *
 * @param path null when nothing is to be requested now
 */
export function useResource<T>(path: string | null): LoadedResource<T> {
  const { resources } = useApp();
  const resource = useExternalStore(
    (onChange) => (path === null ? () => undefined : resources.subscribe(path, onChange)),
    // The response has the type that the caller specifies, since each path always responds with the same type.
    () => resources.get(path ?? '') as Resource<T>,
    [resources, path],
  );
  // While there is a value, the page's StaleNote reports errors, except a 404: then the shown object no longer exists.
  const isTold = resource.value !== undefined && resource.error?.status !== 404;
  return { ...resource, error: isTold ? undefined : resource.error, reload: () => path !== null && void resources.load(path) };
}
