import { type Inputs, useLayoutEffect, useReducer } from 'preact/hooks';

/** Listens until what it returns is called. */
export type Subscribe = (onChange: () => void) => () => void;

/**
 * What lives outside of what is drawn; drawn again whenever it changes. It is listened to in the same step as it is drawn: an effect
 * would begin a frame later, and a change in between would never be seen.
 *
 * @param inputs of both functions
 */
export function useExternalStore<T>(subscribe: Subscribe, read: () => T, inputs: Inputs): T {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const value = read();
  useLayoutEffect(() => {
    const stop = subscribe(() => draw(undefined));
    // What was drawn together with it may have changed it already.
    if (read() !== value) draw(undefined);
    return stop;
  }, inputs);
  return value;
}
