import type { Svc } from '../script.d.ts';

/** Otherwise the calendar would go on sending. */
export default async function (svc: Svc): Promise<void> {
  const { subscriptionId } = await svc.getMetadata();
  if (typeof subscriptionId !== 'string') return;
  await svc.delete({ endpoint: `/webhooks/${encodeURIComponent(subscriptionId)}` });
}
