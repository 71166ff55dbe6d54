import { type Inputs, useLayoutEffect, useReducer } from 'preact/hooks';

/** Subscribes a listener. @returns a function that ends the subscription */
export type Subscribe = (onChange: () => void) => () => void;

/**
 * Returns a value that lives outside of the components, and renders the component again whenever it changes. It subscribes in a
 * layout effect, that is, in the same step as the rendering: an ordinary effect would run a frame later, and miss a change in
 * between.
 *
 * @param inputs the values that both functions depend on
 */
export function useExternalStore<T>(subscribe: Subscribe, read: () => T, inputs: Inputs): T {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const value = read();
  useLayoutEffect(() => {
    const stop = subscribe(() => draw(undefined));
    // Before this subscription, another component of the same rendering may already have changed the value.
    if (read() !== value) draw(undefined);
    return stop;
  }, inputs);
  return value;
}
