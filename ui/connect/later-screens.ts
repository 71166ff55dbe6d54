import { useEffect, useState } from 'preact/hooks';
import { online, pause } from '../kit/browser.ts';
import type { FormRules } from './flow/ports.ts';

export type Later = typeof import('./screens/later.ts');

const RETRY_MS = 2_000;

let loaded: Later | undefined;

/** Returns the validation rules of forms, which are loaded together with the screen of a form. */
export function formRules(): FormRules {
  if (loaded === undefined) throw new Error('no form is in front');
  return loaded;
}

/**
 * Returns the screens that are loaded after the first one; undefined until they are loaded.
 *
 * @param isFirstKnown true when the first screen is known; loading the others any earlier would only delay it
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
