import type { Notices } from '../db/notices.ts';
import type { IntegrationsDeps } from './integrations/deps.ts';

export interface ConnectionsDeps extends Pick<IntegrationsDeps, 'db' | 'keys' | 'outbound' | 'tagKeys'> {
  readonly notices: Notices;
  /** The public address, without a slash at its end. */
  readonly baseUrl: string;
}
