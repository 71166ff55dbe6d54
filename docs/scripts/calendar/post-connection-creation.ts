import type { Svc } from '../script.d.ts';

const TRIGGERS = ['BOOKING_CREATED', 'BOOKING_CANCELLED'];

/** Has the calendar tell us of this person's bookings. A second try finds what the first has registered. */
export default async function (svc: Svc): Promise<void> {
  const { subscriptionId } = await svc.getMetadata();
  if (subscriptionId !== undefined) return;
  const { connection_webhook_url, webhook_secret } = await svc.getIntegration();
  if (webhook_secret === null) throw new svc.ScriptError('the integration has no webhook secret');

  // One secret serves all connections, so the address says whose the bookings are.
  const { data } = await svc.post({
    endpoint: '/webhooks',
    data: { active: true, subscriberUrl: connection_webhook_url, triggers: TRIGGERS, secret: webhook_secret },
  });
  const { id } = (data as { data: { id: string } }).data;
  await svc.updateMetadata({ subscriptionId: id });
}
