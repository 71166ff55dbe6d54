import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Size above which bodies are parsed one at a time: a parsed body takes several times its bytes, and blocks the event loop
 * while it is parsed.
 */
const LARGE_BYTES = 1024 * 1024;

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits until a body may be parsed: large ones are parsed one at a time. The turn lasts until the result is disposed of; do
 * that when the parsed value is no longer needed. Other requests run between two turns: the largest body takes some 100 ms.
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
