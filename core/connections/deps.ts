import type { Notices } from '../db/notices.ts';
import type { Outbound } from '../kit/outbound.ts';
import type { TagKeyDeps } from './integrations/deps.ts';

export interface ConnectionsDeps extends TagKeyDeps {
  readonly outbound: Pick<Outbound, 'check'>;
  readonly notices: Notices;
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string;
}
