import type { Svc, WebhookEvent } from '../script.d.ts';

export const webhookSubscriptions = ['tracker:issue_created', 'project_created'];

/** Asks the tracker for what the webhook only names, with this connection's own credentials. */
export async function onWebhook(svc: Svc, { payload, verified }: WebhookEvent): Promise<void> {
  const { issue } = payload as { issue?: { key: string } };
  if (!verified || issue === undefined) return;
  const { data } = await svc.get({
    endpoint: `/rest/api/3/issue/${encodeURIComponent(issue.key)}`,
    params: { fields: 'summary' },
  });
  const { summary } = (data as { fields: { summary: string } }).fields;
  await svc.updateMetadata({ newestIssue: { key: issue.key, summary } });
}
