import type { Knex } from 'knex';
import type { Activity } from '../activity/activity.ts';
import type { WorkSignals } from '../db/work-signals.ts';
import type { IntegrationDeps } from '../integrations/integrations.ts';
import type { TagKeyDeps } from '../integrations/webhook-address.ts';
import type { Clock } from '../kit/clock.ts';
import type { FixedWindow } from '../kit/fixed-window.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import type { Logger } from '../kit/logger.ts';
import type { Outbound } from '../kit/outbound.ts';
import { KeySets } from '../plugin-host/key-sets.ts';
import { DeliveryWriter } from './delivery-writer.ts';
import { type ReceiverDeps, Receivers } from './receivers.ts';
import { createRefusalLimit } from './refusals.ts';

/** What taking deliveries needs. */
export interface IngressDeps extends TagKeyDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly log: Logger;
  readonly catalogue: IntegrationDeps['catalogue'];
  readonly keySets: Pick<KeySets, 'find'>;
  readonly activity: Pick<Activity, 'begin' | 'takesRoutine'>;
  readonly receivers: Pick<Receivers, 'require'>;
  readonly deliveries: Pick<DeliveryWriter, 'write'>;
  readonly refusals: FixedWindow;
  /** Of a body, unpacked. */
  readonly webhookMaxBytes: number;
  /** The public address, without a slash at its end. */
  readonly baseUrl: string;
  /** In small letters; our own signature may carry it in a header's name. */
  readonly clientPrefix?: string | undefined;
}

interface OpeningDeps extends ReceiverDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly signals: Pick<WorkSignals, 'send'>;
  readonly outbound: Pick<Outbound, 'call'>;
}

/** The parts of it that remember something between deliveries. */
export function openIngress(deps: OpeningDeps) {
  const receivers = new Receivers(deps);
  return {
    receivers,
    deliveries: new DeliveryWriter(deps),
    refusals: createRefusalLimit(deps.now),
    keySets: new KeySets({ outbound: deps.outbound, log: deps.log }),
    [Symbol.dispose]: () => receivers[Symbol.dispose](),
  };
}
