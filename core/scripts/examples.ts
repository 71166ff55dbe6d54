import type { ScriptEvent } from './event.ts';

/**
 * A script for each event to begin with, for `scripts init` and the dashboard. Each has a visible effect with any provider, so it
 * makes no call of the provider's API.
 */
export const EXAMPLES: Readonly<Record<ScriptEvent, string>> = {
  'post-connection-creation': `import type { Svc } from '../script.d.ts';

/** Runs after a connection was created. If it throws, it is retried, three attempts in all, so make it idempotent. */
export default async function (svc: Svc): Promise<void> {
  const { webhook_url } = await svc.getIntegration();
  svc.log('connection created', { webhook_url });
  await svc.updateMetadata({ welcomed: true });
}
`,
  'pre-connection-deletion': `import type { Svc } from '../script.d.ts';

/** Runs before a connection is deleted. Its outcome does not prevent the deletion. */
export default async function (svc: Svc): Promise<void> {
  svc.log('deleting connection', { metadata: await svc.getMetadata() });
}
`,
  'validate-connection': `import type { Svc } from '../script.d.ts';

/** Runs before a connection is stored. The message of a ScriptError is shown to the person who connects. */
export default async function (svc: Svc): Promise<void> {
  // A variable of the environment. Unless it is set, every connection is accepted.
  const domain = await svc.getVariable('ALLOWED_DOMAIN');
  if (domain === null) return;
  const { tags } = (await svc.getConnection()) as { readonly tags: Readonly<Record<string, string>> };
  if (tags['end_user_email']?.endsWith(\`@\${domain}\`) !== true)
    throw new svc.ScriptError('Only people of our company may connect an account.');
}
`,
  'on-webhook': `import type { Svc, WebhookEvent } from '../script.d.ts';

/** Event types as the provider names them; \`*\` matches all. */
export const webhookSubscriptions = ['*'];

/** Runs when the provider has sent an event for this connection. */
export async function onWebhook(svc: Svc, event: WebhookEvent): Promise<void> {
  if (!event.verified) return;
  await svc.updateMetadata({ lastEvent: event.type });
}
`,
};
