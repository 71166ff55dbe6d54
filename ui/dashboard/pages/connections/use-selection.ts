import { useRef, useState } from 'preact/hooks';
import { NOTHING, type Selected, toggled, toggledAll } from './selected.ts';

/** The selected rows of a list. */
export interface Selection<Row> {
  readonly rows: readonly Row[];
  readonly isSelected: (key: string) => boolean;
  /** Selects a row, or no longer; with `isRange` also those between it and the one that was clicked before. */
  readonly toggle: (key: string, isRange: boolean) => void;
  /** Selects all rows that are loaded; none if all are selected. */
  readonly toggleAll: () => void;
  /** Selects these rows and no others. */
  readonly select: (rows: readonly Row[]) => void;
}

/**
 * Keeps the selection among the rows of a list, until its filters change. Rows that are no longer in the list do not count.
 *
 * @param list the path of the list, with its filters
 * @param rows the rows that are loaded
 */
export function useSelection<Row>(list: string, rows: readonly Row[], keyOf: (row: Row) => string): Selection<Row> {
  const [of, setOf] = useState({ list, selected: NOTHING });
  const { keys } = of.list === list ? of.selected : NOTHING;
  // Rows are rendered rarely, so their handlers may be of a time when the list was another.
  const latest = useRef({ list, order: [] as readonly string[] });
  latest.current = { list, order: rows.map(keyOf) };
  const change = (edit: (selected: Selected, order: readonly string[]) => Selected) =>
    setOf((before) => {
      const { list: now, order } = latest.current;
      return { list: now, selected: edit(before.list === now ? before.selected : NOTHING, order) };
    });
  return {
    rows: rows.filter((row) => keys.has(keyOf(row))),
    isSelected: (key) => keys.has(key),
    toggle: (key, isRange) => change((selected, order) => toggled(selected, { key, order, isRange })),
    toggleAll: () => change(toggledAll),
    select: (wanted) => change(() => ({ keys: new Set(wanted.map(keyOf)), last: undefined })),
  };
}
