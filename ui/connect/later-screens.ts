import { useEffect, useState } from 'preact/hooks';
import { online, pause } from '../shared/browser.ts';

export type Later = typeof import('./screens/later.ts');

const RETRY_MS = 2_000;

let loading: Promise<Later> | undefined;

/** Begins to load them; the first call counts. */
export function loadLater(): Promise<Later> {
  loading ??= load();
  return loading;
}

/** The screens that are loaded beside the session, as soon as they are there. */
export function useLater(): Later | undefined {
  const [later, setLater] = useState<Later>();
  useEffect(() => void loadLater().then(setLater), []);
  return later;
}

async function load(): Promise<Later> {
  for (;;) {
    await online();
    try {
      return await import('./screens/later.ts');
    } catch {
      await pause(RETRY_MS);
    }
  }
}
