import { useEffect, useRef, useState } from 'preact/hooks';
import type { List } from '../../hooks/use-list.ts';
import { useStream } from '../../hooks/use-stream.ts';
import type { LogEntry } from './log-entry.ts';

/** As long as it takes to see that the top of the list is in front. */
const TOP_PX = 40;
const MAX_WAITING = 500;

export interface Live {
  readonly isLive: boolean;
  readonly isPaused: boolean;
  /** Came while somebody was reading further down. */
  readonly waiting: number;
  setPaused(isPaused: boolean): void;
  show(): void;
}

/**
 * Puts new entries on top of a list while nobody is reading it; otherwise they wait and are counted. What an entry has become since
 * is changed in its place.
 *
 * @param path of the stream
 * @param isBusy whether somebody is in the list, with the pointer or the focus
 */
export function useLive(path: string, list: List<LogEntry>, isBusy: () => boolean): Live {
  const [isPaused, setPaused] = useState(false);
  const [waiting, setWaiting] = useState<readonly LogEntry[]>([]);
  const of = useRef(path);
  useEffect(() => {
    if (of.current === path) return;
    of.current = path;
    setWaiting([]);
  }, [path]);
  const take = (entry: LogEntry) => {
    if (list.rows?.some(({ id }) => id === entry.id)) {
      list.change((rows) => rows.map((row) => (row.id === entry.id ? entry : row)));
    } else if (scrollY <= TOP_PX && !isBusy() && waiting.length === 0) {
      list.change((rows) => [entry, ...rows]);
    } else {
      setWaiting((before) => [entry, ...before.filter(({ id }) => id !== entry.id)].slice(0, MAX_WAITING));
    }
  };
  const isLive = useStream({ path: isPaused || list.rows === undefined ? null : path, after: '' }, (data) =>
    take(JSON.parse(data)),
  );
  return {
    isLive,
    isPaused,
    waiting: waiting.length,
    setPaused,
    show() {
      const known = new Set(waiting.map(({ id }) => id));
      list.change((rows) => [...waiting, ...rows.filter(({ id }) => !known.has(id))]);
      setWaiting([]);
      scrollTo(0, 0);
    },
  };
}
