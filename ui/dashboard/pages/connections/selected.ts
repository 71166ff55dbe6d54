/** The keys of selected rows. */
export interface Selected {
  readonly keys: ReadonlySet<string>;
  /** The row that was selected or deselected last, at which a range begins. */
  readonly last: string | undefined;
}

export const NOTHING: Selected = { keys: new Set(), last: undefined };

interface Toggling {
  readonly key: string;
  /** The keys of all rows that are loaded, in their order. */
  readonly order: readonly string[];
  /** True when the rows between this one and the last one become as this one does. */
  readonly isRange: boolean;
}

/** Selects a row, or deselects it if it is selected; with it the others of a range. */
export function toggled({ keys, last }: Selected, { key, order, isRange }: Toggling): Selected {
  const here = order.indexOf(key);
  const begin = isRange && last !== undefined ? order.indexOf(last) : -1;
  const range = begin < 0 ? [key] : order.slice(Math.min(begin, here), Math.max(begin, here) + 1);
  const others = [...keys].filter((one) => !range.includes(one));
  return { keys: new Set(keys.has(key) ? others : [...others, ...range]), last: key };
}

/** Selects all rows that are loaded; none if all of them are selected. */
export function toggledAll({ keys }: Selected, order: readonly string[]): Selected {
  return order.every((key) => keys.has(key)) ? NOTHING : { keys: new Set(order), last: undefined };
}
