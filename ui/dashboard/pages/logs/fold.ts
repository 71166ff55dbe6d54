import type { LogEntry } from './log-entry.ts';

/** Entries that say the same, shown as their latest one. */
export interface Fold extends LogEntry {
  /** How often it happened. */
  readonly times: number;
  /** When it first happened, as far as the list was loaded. */
  readonly first: string;
  /** The number of connections to which it happened. */
  readonly connections: number;
  /** What the entries have in common. */
  readonly key: string;
}

/** Returns what entries have in common that say the same. */
function keyOf({ type, operation, status, provider_config_key: integration, summary, error_code: code }: LogEntry): string {
  return JSON.stringify([type, operation, status, integration, summary, code]);
}

/**
 * Replaces entries that say the same by one, in the place of the latest.
 *
 * @param unfolded the keys of what is shown entry by entry
 */
export function folded(entries: readonly LogEntry[], unfolded: ReadonlySet<string>): readonly (LogEntry | Fold)[] {
  const groups = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group === undefined) groups.set(keyOf(entry), [entry]);
    else group.push(entry);
  }
  return entries.flatMap((entry) => {
    const key = keyOf(entry);
    const group = groups.get(key) ?? [];
    if (group.length === 1 || unfolded.has(key)) return [entry];
    if (group[0] !== entry) return [];
    const connections = new Set(group.flatMap(({ connection_id: id }) => id ?? [])).size;
    return [{ ...entry, times: group.length, first: group.at(-1)?.created_at ?? entry.created_at, connections, key }];
  });
}

export function isFold(entry: LogEntry | Fold): entry is Fold {
  return 'times' in entry;
}
