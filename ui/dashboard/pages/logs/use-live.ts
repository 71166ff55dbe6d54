import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../../app/context.ts';
import type { List } from '../../app/use-list.ts';
import { useStream } from '../../app/use-stream.ts';
import type { LogEntry } from './log-entry.ts';
import { MAX_ROWS, mergeLive } from './merge-live.ts';

/** The distance from the top, in pixels, up to which the page counts as not scrolled. */
const TOP_PX = 40;
/** Entries that arrive within this time are rendered together. */
const GATHER_MS = 200;

export interface Live {
  readonly isLive: boolean;
  readonly isPaused: boolean;
  /** The number of entries that arrived while the user was reading the list, and are not shown yet. */
  readonly waiting: number;
  /** True when more entries wait than are counted. */
  readonly isTooMany: boolean;
  setPaused(isPaused: boolean): void;
  show(): void;
}

interface LiveOptions {
  /** The path of the stream. */
  readonly path: string;
  /** The path of the list. */
  readonly listPath: string;
  readonly list: List<LogEntry>;
  /** Returns whether the pointer or the focus is in the list. */
  readonly isBusy: () => boolean;
}

/** The entries that have arrived and are not in the list yet. */
interface Held {
  readonly arrived: LogEntry[];
  waiting: readonly LogEntry[];
  /** True when more have arrived than are kept: the list has to be read again. */
  isTooMany: boolean;
}

/** Adds new entries to a list while nobody is reading it; otherwise they wait and are counted. */
export function useLive({ path, listPath, list, isBusy }: LiveOptions): Live {
  const { resources } = useApp();
  const [isPaused, setPaused] = useState(false);
  const [draws, setDraws] = useState(0);
  const draw = () => setDraws((count) => count + 1);
  const held = useRef<Held>(nothing());
  useEffect(() => {
    const here = nothing();
    held.current = here;
    return () => {
      // The user has left this list: the waiting entries are added, so that the list contains them when the user comes back.
      const news = [...here.waiting, ...here.arrived];
      if (here.isTooMany) resources.put(path, '');
      else if (news.length > 0)
        list.change((rows) => mergeLive({ rows, waiting: [] }, { news, isOpen: true, hasMore: true }).rows);
    };
  }, [path]);
  const reload = () => resources.invalidate(listPath);
  const isLive = useStream(isPaused ? null : path, {
    onBegin: reload,
    onEvent(data) {
      if (held.current.arrived.push(JSON.parse(data)) === 1) setTimeout(draw, GATHER_MS);
    },
  });
  const { rows, isLoading, hasMore } = list;
  useEffect(() => {
    const { arrived, waiting } = held.current;
    if (isLoading || rows === undefined || (!isLive && arrived.length === 0)) return;
    const isOpen = scrollY <= TOP_PX && !isBusy();
    const next = mergeLive({ rows, waiting }, { news: arrived.splice(0), isOpen, hasMore });
    if (next.rows.length > Math.max(MAX_ROWS, rows.length)) return reload();
    held.current.waiting = next.waiting.slice(0, MAX_ROWS);
    held.current.isTooMany ||= next.waiting.length > MAX_ROWS;
    // Called even if there are no new entries: this marks the list as changed, so that it is not read again when the window gets
    // the focus.
    list.change(() => next.rows);
  }, [draws, isLoading, isLive]);
  return {
    isLive,
    isPaused,
    waiting: held.current.waiting.length,
    isTooMany: held.current.isTooMany,
    setPaused,
    show() {
      const { waiting: news, isTooMany } = held.current;
      held.current.waiting = [];
      held.current.isTooMany = false;
      if (isTooMany) reload();
      else list.change((before) => mergeLive({ rows: before, waiting: [] }, { news, isOpen: true, hasMore }).rows);
      scrollTo(0, 0);
    },
  };
}

function nothing(): Held {
  return { arrived: [], waiting: [], isTooMany: false };
}
