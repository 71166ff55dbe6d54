import { useEffect, useReducer } from 'preact/hooks';
import { useApp } from '../context.ts';
import type { Resource } from '../core/resources.ts';

/** What stands around the pages, and is loaded once for all of them. */
const AROUND = /^api\/ui\/(?:me|e\/[^/]+\/(?:connections-count|onboarding))$/;

/** What the page in front has read and shows; drawn again with every change of it. */
export function useShown(): readonly Resource<unknown>[] {
  const { resources } = useApp();
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const stop = resources.observe(() => render(undefined));
    render(undefined);
    return stop;
  }, [resources]);
  return resources.watched((path) => !AROUND.test(path)).filter(({ value }) => value !== undefined);
}
