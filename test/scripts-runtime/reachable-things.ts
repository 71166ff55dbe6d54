import { readFile, writeFile } from 'node:fs/promises';
import { openScripts } from '../support/script-host.ts';

/**
 * The list of everything that a script can reach. After an upgrade of V8 or a new property of `svc`, run `node
 * test/scripts-runtime/reachable-things.ts` to write it again, and check what has changed.
 */
export const REACHABLE = new URL('reachable.txt', import.meta.url);

/** Returns what a script can reach by reflection, one line for each object or function. */
export async function reachableThings(): Promise<readonly string[]> {
  await using scripts = openScripts();
  const outcome = await scripts.run(await readFile(new URL('reachable.js', import.meta.url), 'utf8'), {
    args: [{ type: 'event', payload: { a: [1] }, headers: {}, verified: true }],
    hostFunctions: { getMetadata: async () => ({ a: { b: [] } }) },
    limits: { timeoutMs: 15_000, callBytes: 1_000 },
  });
  if (!Array.isArray(outcome.result)) throw new Error(JSON.stringify(outcome));
  return outcome.result.map(String).sort();
}

if (import.meta.main) await writeFile(REACHABLE, `${(await reachableThings()).join('\n')}\n`);
