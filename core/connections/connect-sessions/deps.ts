import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { StoreDeps } from '../../db/store-deps.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Outbound } from '../../kit/outbound.ts';

export interface ConnectSessionsDeps extends StoreDeps {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly outbound: Pick<Outbound, 'check'>;
}
