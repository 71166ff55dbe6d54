import type { Logger } from '../../../kit/logger.ts';
import type { ChallengeDeps } from './challenge.ts';

export interface FactorDeps extends ChallengeDeps {
  /** `SVC_BASE_URL`: passkeys are bound to its host. */
  readonly baseUrl: string;
  readonly log: Logger;
}
