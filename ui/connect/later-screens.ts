import { useEffect, useState } from 'preact/hooks';
import { online, pause } from '../kit/browser.ts';
import type { FormRules } from './flow/ports.ts';

export type Later = typeof import('./screens/later.ts');

const RETRY_MS = 2_000;

let loaded: Later | undefined;

/** Of a form: its screen comes with them. */
export function formRules(): FormRules {
  if (loaded === undefined) throw new Error('no form is in front');
  return loaded;
}

/**
 * The screens that are loaded after the first one, as soon as they are there.
 *
 * @param isFirstKnown before it is, they would only be in its way
 */
export function useLater(isFirstKnown: boolean): Later | undefined {
  const [later, setLater] = useState<Later>();
  useEffect(() => {
    if (isFirstKnown) void load().then(setLater);
  }, [isFirstKnown]);
  return later;
}

async function load(): Promise<Later> {
  for (;;) {
    await online();
    try {
      loaded = await import('./screens/later.ts');
      return loaded;
    } catch {
      await pause(RETRY_MS);
    }
  }
}
