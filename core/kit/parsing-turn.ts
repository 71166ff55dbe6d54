import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Size above which bodies are parsed one at a time: a parsed body takes several times as much memory as its text, and parsing
 * blocks the event loop.
 */
const LARGE_BYTES = 1024 * 1024;

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits until a body may be parsed, since large ones are parsed one at a time. The turn ends when the result is disposed of,
 * which should be done when the parsed value is no longer needed. Parsing the largest body takes some 100 ms; other requests are
 * served between two turns.
 *
 * @param bytes size of the body
 */
export async function takeParsingTurn(bytes: number): Promise<Disposable> {
  if (!isLarge(bytes)) return { [Symbol.dispose]: () => undefined };
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = lastTurn;
  lastTurn = promise;
  await before;
  await nextTurn();
  return { [Symbol.dispose]: resolve };
}

/** Returns whether bodies of this size are parsed one at a time. */
export function isLarge(bytes: number): boolean {
  return bytes > LARGE_BYTES;
}
