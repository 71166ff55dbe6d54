import { useEffect, useRef, useState } from 'preact/hooks';
import { online, pause } from '../../shared/browser.ts';
import { useApp } from '../context.ts';
import { follow } from '../core/follow.ts';

interface Watching {
  /** The address of an event stream; null: none for now. */
  readonly path: string | null;
  /** Of what is known already; empty: only what happens from now on. */
  readonly after: string;
}

/**
 * Hands over each event of a stream, in a tab that can be seen; one that was hidden catches up by `Last-Event-ID`.
 *
 * @returns whether events come as they happen
 */
export function useStream({ path, after }: Watching, onEvent: (data: string) => void): boolean {
  const { client } = useApp();
  const [isLive, setLive] = useState(false);
  const isVisible = useVisible();
  const last = useRef({ path, id: after });
  const handler = useRef(onEvent);
  handler.current = onEvent;
  useEffect(() => {
    if (path === null || !isVisible) return;
    if (last.current.path !== path) last.current = { path, id: after };
    const stop = new AbortController();
    const events = follow({
      open: (id, signal) => client.stream(path, id, signal),
      pause,
      online,
      signal: stop.signal,
      after: last.current.id,
      onLive: setLive,
    });
    void (async () => {
      for await (const { id, data } of events) {
        if (stop.signal.aborted) return;
        last.current = { path, id: id || last.current.id };
        if (data !== '') handler.current(data);
      }
      // Refused for good: the list stays as it is, and says that it is not live.
    })().catch(() => setLive(false));
    return () => stop.abort();
  }, [client, path, isVisible]);
  return isLive;
}

function useVisible(): boolean {
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible');
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isVisible;
}
