import type { ConnectionsDeps } from '../connections/deps.ts';
import type { CredentialsDeps } from '../credentials/deps.ts';
import type { ConnectionScripts } from '../scripts/connection-scripts.ts';

export interface LifecycleDeps extends ConnectionsDeps, CredentialsDeps {
  readonly outbound: CredentialsDeps['outbound'];
  readonly scripts: Pick<ConnectionScripts, 'validate' | 'beforeDeletion' | 'limits'>;
  /** Returns the milliseconds of a monotonic clock. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}
