import type { CredentialsDeps } from '../../core/credentials/deps.ts';
import { refreshWorker } from '../../core/credentials/refresh-worker.ts';

/** Refreshes and verifies all connections that are due, as the worker does. @returns how many there were */
export function refreshDue(deps: CredentialsDeps): Promise<number> {
  return refreshWorker(deps).workOff();
}
