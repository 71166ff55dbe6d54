import { type Inputs, useLayoutEffect, useReducer } from 'preact/hooks';

/** Subscribes a listener. @returns ends the subscription */
export type Subscribe = (onChange: () => void) => () => void;

/**
 * Returns a value that lives outside of the components, and renders the component again whenever it changes. The subscription
 * begins in the same step as the rendering: an effect would begin a frame later, and a change in between would never be seen.
 *
 * @param inputs the values that both functions depend on
 */
export function useExternalStore<T>(subscribe: Subscribe, read: () => T, inputs: Inputs): T {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const value = read();
  useLayoutEffect(() => {
    const stop = subscribe(() => draw(undefined));
    // Something that was rendered in the same step may have changed the value already.
    if (read() !== value) draw(undefined);
    return stop;
  }, inputs);
  return value;
}
