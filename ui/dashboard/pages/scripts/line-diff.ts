/** A line of a diff: in both texts (` `), only in the old one (`-`), or only in the new one (`+`). */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** Maximum number of cells of the table: a source of 256 KB may have 100,000 lines, whose table no browser can hold. */
const MAX_CELLS = 4_000_000;

/**
 * Compares two texts by the longest common subsequence of their lines. In very long texts everything between the common beginning
 * and the common end counts as different.
 */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const same = (text: string): DiffLine => ({ sign: ' ', text });
  const middle = between(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  return [...old.slice(0, head).map(same), ...middle, ...old.slice(old.length - tail).map(same)];
}

function between(old: readonly string[], now: readonly string[]): DiffLine[] {
  const isLong = (old.length + 1) * (now.length + 1) > MAX_CELLS;
  const common = isLong ? undefined : commonLengths(old, now);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [gone, come] = [old[i], now[j]];
    if (gone === undefined && come === undefined) return lines;
    if (common !== undefined && gone !== undefined && gone === come) {
      lines.push({ sign: ' ', text: gone });
      i += 1;
      j += 1;
    } else if (gone !== undefined && (come === undefined || (common?.(i + 1, j) ?? 0) >= (common?.(i, j + 1) ?? 0))) {
      lines.push({ sign: '-', text: gone });
      i += 1;
    } else {
      lines.push({ sign: '+', text: come ?? '' });
      j += 1;
    }
  }
}

/** Returns a function for the length of the longest common subsequence of the lines from `i` in `old` and from `j` in `now`. */
function commonLengths(old: readonly string[], now: readonly string[]): (i: number, j: number) => number {
  const width = now.length + 1;
  const cells = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => cells[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      cells[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return at;
}
