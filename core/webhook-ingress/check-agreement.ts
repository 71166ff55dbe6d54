import type { Knex } from 'knex';
import type { WebhookEvent } from '#contract';
import { ServiceError } from '../errors.ts';
import { disagrees } from './find-connections.ts';
import type { Receiver } from './receivers.ts';

/** @throws ServiceError `webhook_invalid_payload` when an event that must not names different connections */
export async function checkAgreement(
  { db }: { readonly db: Knex },
  { integration }: Receiver,
  events: readonly WebhookEvent[],
): Promise<void> {
  for (const event of events) {
    if (await disagrees(db, integration.id, event))
      throw new ServiceError('webhook_invalid_payload', 'the delivery names different connections');
  }
}
