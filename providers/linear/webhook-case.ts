import { createHmac } from 'node:crypto';
import type { WebhookCase } from '#contract';

const ORGANIZATION = '5bf6e1b1-6d0a-4a9f-9d57-5b8f9d3a3c11';

export default {
  secret: 'webhookSecret',
  connection: { connectionConfig: { organization_id: ORGANIZATION } },
  signatureHeaders: ['linear-signature'],
  toleranceSeconds: 60,
  types: ['Issue'],
  deliver: ({ isKnown, secret, sentAt, number }) => {
    const body = JSON.stringify({
      action: 'create',
      type: 'Issue',
      data: { id: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9', number },
      organizationId: isKnown ? ORGANIZATION : '00000000-0000-4000-8000-000000000000',
      webhookTimestamp: sentAt.getTime(),
      webhookId: '000042e3-d123-4980-b49f-8e140eef9329',
    });
    return {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'linear-delivery': `234d1a4e-b617-4388-90fe-${String(number).padStart(12, '0')}`,
        'linear-event': 'Issue',
        'linear-signature': createHmac('sha256', secret).update(body).digest('hex'),
      },
      body,
    };
  },
} satisfies WebhookCase;
