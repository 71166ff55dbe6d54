import type { Reply } from '../../app/replies.ts';

export type ScriptEvent = Reply<'listScripts'>['data'][number]['event'];

/** A first script for each event, for the user to change. */
export const STARTERS: Readonly<Record<ScriptEvent, string>> = {
  'post-connection-creation': `export default async function (svc) {
  await svc.updateMetadata({ welcomed: true });
}
`,
  'pre-connection-deletion': `export default async function (svc) {
  const metadata = await svc.getMetadata();
  svc.log('the connection is deleted', { metadata });
}
`,
  'validate-connection': `export default async function (svc) {
  const { data } = await svc.get({ endpoint: '/me' });
  if (data.plan === 'free') throw new svc.ScriptError('Connect a paid account.');
}
`,
  'on-webhook': `export const webhookSubscriptions = ['*'];

export async function onWebhook(svc, { type, verified }) {
  if (verified) await svc.updateMetadata({ newest: type });
}
`,
};
