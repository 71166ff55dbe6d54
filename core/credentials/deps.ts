import type { Plugins } from '../catalogue/plugins/plugins.ts';
import type { ConnectionsDeps } from '../connections/deps.ts';
import type { IntegrationsDeps } from '../connections/integrations/deps.ts';
import type { Instances } from '../db/instances.ts';
import type { Activity } from '../journal/operation-log/activity.ts';
import type { Logger } from '../kit/logger.ts';
import type { Outbound } from '../kit/outbound.ts';
import type { WebhookDeliveryDeps } from '../webhook-delivery/deps.ts';
import type { Refreshing } from './refreshing.ts';

export interface CredentialsDeps
  extends Pick<IntegrationsDeps, 'db' | 'keys' | 'catalogue' | 'clock'>,
    Pick<ConnectionsDeps, 'notices'>,
    Pick<WebhookDeliveryDeps, 'signals' | 'random'> {
  readonly outbound: Outbound;
  readonly log: Logger;
  readonly plugins: Plugins;
  readonly activity: Activity;
  readonly instances: Pick<Instances, 'newOwner' | 'isOurs' | 'isGone' | 'stands' | 'reconnectedAtMs' | 'hearsNotices'>;
  readonly refreshing: Refreshing;
  readonly refreshMarginSeconds: number;
}
