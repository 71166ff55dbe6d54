import type { CredentialsDeps } from '../credentials/deps.ts';
import type { ScriptDeps } from '../scripts/deps.ts';

export interface LifecycleDeps extends CredentialsDeps, ScriptDeps {
  /** Milliseconds of a monotonic clock. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
}
