import { connectionById } from '../connections/connection-store.ts';
import { abandonedLeases } from './abandoned-store.ts';
import type { CredentialsDeps } from './deps.ts';
import { takeOver } from './fresh.ts';

const LOOK_EVERY_MS = 5_000;

/**
 * Looks for leases of dead owners at intervals and takes them over, until the process begins to shut down. Waiting for a caller
 * would not do: a provider tolerates the reuse of a refresh token for a few seconds only, and perhaps nobody requests the
 * connection in that time.
 */
export function watchAbandonedLeases(deps: CredentialsDeps): void {
  let looking = false;
  const timer = setInterval(async () => {
    if (deps.refreshing.isClosed) return clearInterval(timer);
    if (looking) return;
    looking = true;
    await takeOverAbandoned(deps);
    looking = false;
  }, LOOK_EVERY_MS).unref();
}

/** Takes over the leases of owners that are dead by now. Never rejects, since the next attempt follows in a few seconds. */
export async function takeOverAbandoned(deps: CredentialsDeps): Promise<void> {
  try {
    const left = await abandonedLeases(deps.db, deps.refreshing.times);
    await Promise.all(
      left.map(async ({ environmentId, id }) => {
        const connection = await connectionById(deps, environmentId, id);
        if (connection !== undefined) await takeOver(deps, connection);
      }),
    );
  } catch (error) {
    deps.log.debug('the refreshes of instances that died could not be taken over', { error });
  }
}
