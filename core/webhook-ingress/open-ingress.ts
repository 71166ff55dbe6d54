import { KeySets } from '../catalogue/webhooks/key-sets.ts';
import type { FixedWindow } from '../kit/fixed-window.ts';
import { DeliveryWriter } from './delivery-writer.ts';
import type { WebhookIngressDeps } from './deps.ts';
import { Receivers } from './receivers.ts';
import { createRefusalLimit } from './refusals.ts';

/** The services that receive deliveries, with their state. */
export interface WebhookIngress extends WebhookIngressDeps {
  readonly keySets: Pick<KeySets, 'find'>;
  readonly receivers: Pick<Receivers, 'require'>;
  readonly deliveries: Pick<DeliveryWriter, 'write'>;
  readonly refusals: FixedWindow;
}

/** Creates the stateful parts. */
export function openIngress(deps: WebhookIngressDeps) {
  const receivers = new Receivers(deps);
  return {
    receivers,
    deliveries: new DeliveryWriter(deps),
    refusals: createRefusalLimit(deps.now),
    keySets: new KeySets({ outbound: deps.outbound, log: deps.log }),
    [Symbol.dispose]: () => receivers[Symbol.dispose](),
  };
}
