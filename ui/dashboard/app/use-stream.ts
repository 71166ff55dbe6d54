import { useEffect, useRef, useState } from 'preact/hooks';
import { online, pause } from '../../kit/browser.ts';
import { useApp } from './context.ts';
import { follow } from './follow.ts';
import { useBrowserState } from './use-browser-state.ts';

interface StreamListener {
  /** A stream begins of which nothing was known: what was read before may lack what came just before it. */
  readonly onBegin: () => void;
  readonly onEvent: (data: string) => void;
}

/**
 * Hands over each event of a stream, in a tab that can be seen. How far it was is remembered as long as the tab lives, so whoever comes
 * back to the page, or to the tab, catches up by `Last-Event-ID`.
 *
 * @param path of the stream; null: none for now
 * @returns whether events come as they happen
 */
export function useStream(path: string | null, listener: StreamListener): boolean {
  const { client, resources } = useApp();
  const [isLive, setLive] = useState(false);
  const isVisible = useBrowserState(document, ['visibilitychange'], () => document.visibilityState === 'visible');
  const current = useRef(listener);
  current.current = listener;
  useEffect(() => {
    if (path === null || !isVisible) return;
    const known = resources.get(path).value;
    const after = typeof known === 'string' ? known : '';
    const stop = new AbortController();
    const { signal } = stop;
    const events = follow({ open: (id, abort) => client.stream(path, id, abort), pause, online, signal, after, onLive: setLive });
    void (async () => {
      let isKnown = after !== '';
      for await (const { id, data } of events) {
        if (signal.aborted) return;
        if (id !== '') resources.put(path, id);
        if (!isKnown) current.current.onBegin();
        isKnown = true;
        if (data !== '') current.current.onEvent(data);
      }
      // Refused for good: the list stays as it is, and says that it is not live.
    })().catch(() => setLive(false));
    return () => stop.abort();
  }, [client, resources, path, isVisible]);
  return isLive;
}
