import { useExternalStore } from '../../kit/use-external-store.ts';
import { useApp } from './context.ts';
import type { Navigation } from './history.ts';
import type { Place } from './router.ts';

/** Where the dashboard is; drawn again at every step. */
export function usePlace(navigation: Navigation = useApp().navigation): Place {
  return useExternalStore(
    (onChange) => navigation.subscribe(onChange),
    () => navigation.place,
    [navigation],
  );
}

export interface Filters {
  readonly query: URLSearchParams;
  /** Null takes a filter away. */
  set(changes: Readonly<Record<string, string | null>>): void;
  /** How many of these are set. */
  count(names: readonly string[]): number;
}

/** The filters of a list, which are in the address and nowhere else. */
export function useFilters(): Filters {
  const { navigation } = useApp();
  const { path, query } = usePlace(navigation);
  return {
    query,
    set(changes) {
      // Read anew: several changes may come before the next drawing.
      const next = new URLSearchParams(navigation.place.query);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
      }
      const text = next.toString();
      navigation.replace(text === '' ? path : `${path}?${text}`);
    },
    count: (names) => names.filter((name) => query.has(name)).length,
  };
}
