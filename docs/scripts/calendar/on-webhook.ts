import type { Svc, WebhookEvent } from '../script.d.ts';

export const webhookSubscriptions = ['BOOKING_CREATED', 'BOOKING_CANCELLED'];

/** Keeps the newest booking where the application reads it with the connection. */
export async function onWebhook(svc: Svc, { type, payload, verified }: WebhookEvent): Promise<void> {
  if (!verified) return;
  const { uid } = (payload as { payload: { uid: string } }).payload;
  await svc.updateMetadata({ newestBooking: { uid, isCancelled: type === 'BOOKING_CANCELLED' } });
}
