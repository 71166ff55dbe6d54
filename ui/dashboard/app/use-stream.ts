import { useEffect, useRef, useState } from 'preact/hooks';
import { online, pause } from '../../kit/browser.ts';
import { useApp } from './context.ts';
import { follow } from './follow.ts';
import { useBrowserState } from './use-browser-state.ts';

interface StreamListener {
  /** Called when a stream starts without a known last event: data loaded earlier may lack events from just before the start. */
  readonly onBegin: () => void;
  readonly onEvent: (data: string) => void;
}

/**
 * Passes each event of a stream to the listener while the tab is visible. The ID of the last event is kept as long as the tab
 * exists, so that a user who comes back to the page or the tab also receives the missed events, by `Last-Event-ID`.
 *
 * @param path the stream's path; null when no stream is wanted now
 * @returns whether events arrive as they happen
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
      // The service refuses the stream permanently: the list keeps its rows, and says that it is not live.
    })().catch(() => setLive(false));
    return () => stop.abort();
  }, [client, resources, path, isVisible]);
  return isLive;
}
