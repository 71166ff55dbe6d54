import { setImmediate as nextTurn } from 'node:timers/promises';

/** A parsed body takes several times its bytes, and blocks the event loop while it is parsed. */
const LARGE_BYTES = 1024 * 1024;

let lastTurn: Promise<void> = Promise.resolve();

/**
 * To be awaited before a body is parsed: large ones are parsed one at a time. The turn lasts until it is disposed of, when what
 * was parsed is no longer needed. Other requests run between two of them: the largest takes some 100 ms.
 *
 * @param bytes of the body
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

/** Whether bodies of so many bytes are parsed one at a time. */
export function isLarge(bytes: number): boolean {
  return bytes > LARGE_BYTES;
}
