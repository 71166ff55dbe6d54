import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 20;

/** Resolves when the condition holds. @throws when that takes longer than `withinMs` */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await wait(POLL_MS);
  }
}
