import { createHmac } from 'node:crypto';
import type { WebhookCase } from '#contract';

const SITE = 'https://acme.tracker.example';

export default {
  secret: 'webhookSecret',
  connection: { connectionConfig: { baseUrl: SITE } },
  signatureHeaders: ['x-hub-signature'],
  types: ['tracker:issue_updated'],
  deliver: ({ isKnown, secret, number, sentAt }) => {
    const self = `${isKnown ? SITE : 'https://other.tracker.example'}/rest/api/2/issue/${number}`;
    const issue = { id: String(number), self, key: `ACME-${number}`, fields: { summary: 'It does not work' } };
    const body = JSON.stringify({ timestamp: sentAt.getTime(), webhookEvent: 'tracker:issue_updated', issue });
    return {
      headers: {
        'content-type': 'application/json; charset=UTF-8',
        'user-agent': 'Issue tracker',
        'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
      body,
    };
  },
} satisfies WebhookCase;
