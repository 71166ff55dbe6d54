import { createHmac } from 'node:crypto';
import type { WebhookCase } from '#contract';

const CONNECTION_ID = 'c5d5f9c1-8a4e-4b0a-9b3e-1f1d7a0b7c55';

export default {
  secret: 'webhookSecret',
  connection: { connectionId: CONNECTION_ID },
  signatureHeaders: ['x-scheduler-signature-256'],
  types: ['BOOKING_CREATED'],
  deliver: ({ isKnown, secret, number, sentAt }) => {
    const svcConnectionId = isKnown ? CONNECTION_ID : '0e7a1e2c-5f63-4f55-8a0f-6f1f3b0a9d10';
    const payload = { uid: `booking-${number}`, title: '30 minutes with Ada', startTime: '2026-03-01T09:00:00Z' };
    const body = JSON.stringify({
      svcConnectionId,
      triggerEvent: 'BOOKING_CREATED',
      createdAt: sentAt.toISOString(),
      payload,
    });
    return {
      headers: {
        'content-type': 'application/json',
        'x-scheduler-signature-256': createHmac('sha256', secret).update(body).digest('hex'),
      },
      body,
    };
  },
} satisfies WebhookCase;
