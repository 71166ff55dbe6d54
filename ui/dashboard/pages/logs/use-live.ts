import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../../app/context.ts';
import type { List } from '../../app/use-list.ts';
import { useStream } from '../../app/use-stream.ts';
import type { LogEntry } from './log-entry.ts';
import { MAX_ROWS, mergeLive } from './merge-live.ts';

/** As long as it takes to see that the top of the list is in front. */
const TOP_PX = 40;
/** What comes within this time is drawn at once. */
const GATHER_MS = 200;

export interface Live {
  readonly isLive: boolean;
  readonly isPaused: boolean;
  /** How many came while somebody was reading further down. */
  readonly waiting: number;
  /** There are more than that. */
  readonly isTooMany: boolean;
  setPaused(isPaused: boolean): void;
  show(): void;
}

interface LiveOptions {
  /** Of the stream. */
  readonly path: string;
  /** Of the list. */
  readonly listPath: string;
  readonly list: List<LogEntry>;
  /** Whether somebody is in the list, with the pointer or the focus. */
  readonly isBusy: () => boolean;
}

/** What has come, and is not in the list yet. */
interface Held {
  readonly arrived: LogEntry[];
  waiting: readonly LogEntry[];
  /** More than are kept: the list has to be read again. */
  isTooMany: boolean;
}

/** Puts new entries into a list while nobody is reading it; otherwise they wait and are counted. */
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
      // Nobody reads this list any more: whoever comes back to it finds what has waited.
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
    // Also where nothing has come: a list that is kept up by the stream is not read again when the window gets the focus.
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
