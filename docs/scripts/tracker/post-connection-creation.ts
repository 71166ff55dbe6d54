import type { Svc } from '../script.d.ts';

/** An app may register some of these events itself; projects and attachments are told to webhooks of an administrator only. */
const EVENTS = ['tracker:issue_created', 'project_created', 'attachment_created'];

/** Registers an admin webhook, which needs a connection of an administrator and does not expire. */
export default async function (svc: Svc): Promise<void> {
  const { adminWebhook } = await svc.getMetadata();
  if (adminWebhook !== undefined) return;
  const { webhook_url, webhook_secret } = await svc.getIntegration();
  if (webhook_secret === null) throw new svc.ScriptError('the integration has no webhook secret');

  const { data } = await svc.post({
    endpoint: '/rest/webhooks/1.0/webhook',
    data: { name: `svc ${svc.connectionId}`, url: webhook_url, events: EVENTS, secret: webhook_secret },
  });
  const { self } = data as { self: string };
  await svc.updateMetadata({ adminWebhook: self.split('/').at(-1) });
}
