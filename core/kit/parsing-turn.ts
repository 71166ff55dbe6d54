import { giveTurn } from './give-turn.ts';

/** What a body says takes several times its bytes, and the event loop for as long as it is parsed. */
const LARGE_BYTES = 1024 * 1024;

let lastTurn: Promise<void> = Promise.resolve();

/**
 * To be awaited before a body is parsed: large ones are parsed one at a time. The turn lasts until it is disposed of, when what
 * was parsed is no longer needed.
 *
 * @param bytes of the body
 */
export async function takeParsingTurn(bytes: number): Promise<Disposable> {
  if (!isLarge(bytes)) {
    await giveTurn(bytes);
    return { [Symbol.dispose]: () => undefined };
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = lastTurn;
  lastTurn = promise;
  await before;
  await giveTurn(bytes);
  return { [Symbol.dispose]: resolve };
}

/** Whether bodies of so many bytes are parsed one at a time. */
export function isLarge(bytes: number): boolean {
  return bytes > LARGE_BYTES;
}
