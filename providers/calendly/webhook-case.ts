import { createHmac } from 'node:crypto';
import type { WebhookCase } from '#contract';

const USER = 'https://api.calendly.com/users/AAAAAAAAAAAAAAAA';

export default {
  secret: 'webhookSecret',
  connection: { connectionConfig: { owner: USER, organization: 'https://api.calendly.com/organizations/AAAAAAAAAAAAAAAA' } },
  signatureHeaders: ['calendly-webhook-signature'],
  toleranceSeconds: 180,
  types: ['invitee.created'],
  deliver: ({ isKnown, secret, sentAt, number }) => {
    const body = JSON.stringify({
      event: 'invitee.created',
      created_at: `2026-01-02T03:04:05.${String(number).padStart(6, '0')}Z`,
      created_by: isKnown ? USER : 'https://api.calendly.com/users/NOBODY',
      payload: { email: 'test@example.com', status: 'active' },
    });
    const seconds = Math.floor(sentAt.getTime() / 1000);
    const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    return {
      headers: { 'content-type': 'application/json', 'calendly-webhook-signature': `t=${seconds},v1=${digest}` },
      body,
    };
  },
} satisfies WebhookCase;
