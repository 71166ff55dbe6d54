import { useExternalStore } from '../../kit/use-external-store.ts';
import { useApp } from './context.ts';
import type { Navigation } from './history.ts';
import type { Place } from './router.ts';

/** Returns the current place in the dashboard, and rerenders after every navigation. */
export function usePlace(navigation: Navigation = useApp().navigation): Place {
  return useExternalStore(
    (onChange) => navigation.subscribe(onChange),
    () => navigation.place,
    [navigation],
  );
}

export interface Filters {
  readonly query: URLSearchParams;
  /** Changes filters; null removes one. */
  set(changes: Readonly<Record<string, string | null>>): void;
  /** Returns how many of these filters are set. */
  count(names: readonly string[]): number;
}

/** Returns the filters of a list, which are kept in the URL and nowhere else. */
export function useFilters(): Filters {
  const { navigation } = useApp();
  const { path, query } = usePlace(navigation);
  return {
    query,
    set(changes) {
      // Read the current URL again: several changes may be made before the next render.
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
