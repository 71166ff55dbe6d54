import { createHmac } from 'node:crypto';
import type { WebhookCase } from '#contract';

const ACCOUNT = 'acct_1032D82eZvKYlo2C';

export default {
  secret: 'webhookSecret',
  connection: { connectionConfig: { account_id: ACCOUNT } },
  signatureHeaders: ['stripe-signature'],
  toleranceSeconds: 300,
  types: ['invoice.paid'],
  deliver: ({ isKnown, secret, sentAt, number }) => {
    const account = isKnown ? ACCOUNT : 'acct_nobody';
    const body = JSON.stringify({ id: `evt_${number}`, object: 'event', type: 'invoice.paid', account, livemode: true }, null, 2);
    const seconds = Math.floor(sentAt.getTime() / 1000);
    const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    const rolled = createHmac('sha256', 'whsec_the_one_before').update(`${seconds}.${body}`).digest('hex');
    return {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': `t=${seconds},v1=${rolled},v1=${digest},v0=${'0'.repeat(64)}`,
      },
      body,
    };
  },
} satisfies WebhookCase;
