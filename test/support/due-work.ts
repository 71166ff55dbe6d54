import type { CredentialsDeps } from '../../core/credentials/deps.ts';
import { refreshWorker } from '../../core/credentials/refresh-worker.ts';

/** Refreshes and verifies what is due now, as the worker does. @returns how many connections that were */
export function refreshDue(deps: CredentialsDeps): Promise<number> {
  return refreshWorker(deps).workOff();
}
