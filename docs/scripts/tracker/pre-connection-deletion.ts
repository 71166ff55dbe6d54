import type { Svc } from '../script.d.ts';

export default async function (svc: Svc): Promise<void> {
  const { adminWebhook } = await svc.getMetadata();
  if (typeof adminWebhook !== 'string') return;
  await svc.delete({ endpoint: `/rest/webhooks/1.0/webhook/${encodeURIComponent(adminWebhook)}` });
}
