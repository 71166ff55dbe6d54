import { createHmac } from 'node:crypto';
import type { WebhookCase } from '#contract';

const TEAM = 'T0001';

export default {
  secret: 'webhookSecret',
  connection: { connectionConfig: { 'team.id': TEAM } },
  signatureHeaders: ['x-slack-signature'],
  toleranceSeconds: 300,
  types: ['app_mention'],
  deliver: ({ isKnown, secret, sentAt, number }) => {
    const body = JSON.stringify({
      type: 'event_callback',
      team_id: isKnown ? TEAM : 'T9999',
      api_app_id: 'A0MDYCDME',
      event: { type: 'app_mention', user: 'U061F7AUR', text: 'hello', channel: 'C0LAN2Q65' },
      event_id: `Ev${number}`,
      event_time: 1515449522,
    });
    const seconds = Math.floor(sentAt.getTime() / 1000);
    const digest = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex');
    return {
      headers: {
        'content-type': 'application/json',
        'x-slack-request-timestamp': String(seconds),
        'x-slack-signature': `v0=${digest}`,
      },
      body,
    };
  },
} satisfies WebhookCase;
