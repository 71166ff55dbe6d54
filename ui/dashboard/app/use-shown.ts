import { useExternalStore } from '../../kit/use-external-store.ts';
import { useApp } from './context.ts';
import type { Resource } from './resources.ts';

/** The paths that the shell reads once for all pages, which therefore do not belong to any page. */
const AROUND = /^api\/ui\/(?:me|e\/[^/]+\/(?:connections-count|onboarding))$/;

/** Returns the resources that the current page shows, and rerenders with every change of them. */
export function useShown(): readonly Resource<unknown>[] {
  const { resources } = useApp();
  const watched = useExternalStore(
    (onChange) => resources.observe(onChange),
    () => resources.watched((path) => !AROUND.test(path)),
    [resources],
  );
  return watched.filter(({ value }) => value !== undefined);
}
