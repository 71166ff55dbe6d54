import { useExternalStore } from '../../kit/use-external-store.ts';
import { useApp } from './context.ts';
import type { Resource } from './resources.ts';

/** What stands around the pages, and is loaded once for all of them. */
const AROUND = /^api\/ui\/(?:me|e\/[^/]+\/(?:connections-count|onboarding))$/;

/** What the page in front has read and shows; drawn again with every change of it. */
export function useShown(): readonly Resource<unknown>[] {
  const { resources } = useApp();
  const watched = useExternalStore(
    (onChange) => resources.observe(onChange),
    () => resources.watched((path) => !AROUND.test(path)),
    [resources],
  );
  return watched.filter(({ value }) => value !== undefined);
}
