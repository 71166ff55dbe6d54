import { ScriptHost, type ScriptHostOptions } from '../../scripts-runtime/host.ts';
import type { RunLimits } from '../../scripts-runtime/limits.ts';
import type { ScriptOutcome, ScriptRun } from '../../scripts-runtime/script-run.ts';
import { size } from './size.ts';

/** The time limit of a script. It is short because a table of tests waits for scripts that never end. */
export const TIMEOUT_MS = size(200, 1_000);

export interface Scripts extends AsyncDisposable {
  readonly host: ScriptHost;
  run(
    source: string,
    run?: Partial<Omit<ScriptRun, 'limits'>> & { readonly limits?: Partial<RunLimits> },
  ): Promise<ScriptOutcome>;
}

/** Starts a pool of script workers. `run` needs only a script's source and has defaults for everything else. */
export function openScripts(options: Partial<ScriptHostOptions> = {}): Scripts {
  const host = new ScriptHost({ workers: 2, ...options });
  return {
    host,
    run: (source, { limits, ...run } = {}) =>
      host.run({
        environmentKey: 'one',
        source,
        entry: 'default',
        facts: { connectionId: 'connection-1', providerConfigKey: 'key-1' },
        args: [],
        hostFunctions: {},
        limits: { timeoutMs: TIMEOUT_MS, ...limits },
        ...run,
      }),
    [Symbol.asyncDispose]: () => host.close(),
  };
}

/**
 * Waits until a condition holds, checking every few milliseconds.
 *
 * @returns the milliseconds that this took
 * @throws when it takes longer than `withinMs`
 */
export async function until(holds: () => boolean, withinMs: number): Promise<number> {
  const started = performance.now();
  while (!holds()) {
    const waitedMs = performance.now() - started;
    if (waitedMs > withinMs) throw new Error(`did not come to hold within ${withinMs} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return performance.now() - started;
}

export function isWhole(host: ScriptHost, workers = 2): boolean {
  return host.status().ready === workers + 1;
}
