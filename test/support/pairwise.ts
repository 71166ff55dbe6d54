type Dimensions = Readonly<Record<string, readonly unknown[]>>;
type Case<D extends Dimensions> = { readonly [Name in keyof D]: D[Name][number] };

/** Returns every combination of one value for each dimension. */
export function product<D extends Dimensions>(dimensions: D): Case<D>[] {
  return Object.entries(dimensions).reduce<Record<string, unknown>[]>(
    (cases, [name, values]) => cases.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  ) as Case<D>[];
}

/**
 * Returns just enough combinations for every two values of different dimensions to occur together in one. These find most faults,
 * because most faults come from the interaction of two values.
 */
export function pairwise<D extends Dimensions>(dimensions: D): Case<D>[] {
  const all = product(dimensions);
  const missing = new Set(all.flatMap(pairsOf));
  const chosen: Case<D>[] = [];
  while (missing.size > 0) {
    let best: { readonly one: Case<D>; readonly gain: number } | undefined;
    for (const one of all) {
      const gain = pairsOf(one).filter((pair) => missing.has(pair)).length;
      if (gain > (best?.gain ?? 0)) best = { one, gain };
    }
    if (best === undefined) break;
    chosen.push(best.one);
    for (const pair of pairsOf(best.one)) missing.delete(pair);
  }
  return chosen;
}

function pairsOf(one: Readonly<Record<string, unknown>>): string[] {
  const values = Object.entries(one).map(([name, value]) => `${name}=${String(value)}`);
  return values.flatMap((first, index) => values.slice(index + 1).map((second) => `${first} ${second}`));
}
