import { type Subscribe, useExternalStore } from '../../kit/use-external-store.ts';

/** Returns a state of the browser, and rerenders when one of these events says that it has changed. */
export function useBrowserState<T>(target: EventTarget, events: readonly string[], read: () => T): T {
  const subscribe: Subscribe = (onChange) => {
    for (const event of events) target.addEventListener(event, onChange);
    return () => {
      for (const event of events) target.removeEventListener(event, onChange);
    };
  };
  return useExternalStore(subscribe, read, [target]);
}
