import { createHmac } from 'node:crypto';
import type { WebhookCase } from '#contract';

const PORTAL = 62515;

export default {
  secret: 'clientSecret',
  // `hub_id` is a number, as in HubSpot's token response.
  connection: { connectionConfig: { hub_id: PORTAL } },
  signatureHeaders: ['x-hubspot-signature-v3'],
  toleranceSeconds: 300,
  types: ['contact.creation', 'deal.propertyChange'],
  deliver: ({ isKnown, secret, url, sentAt, number }) => {
    const event = {
      eventId: number,
      subscriptionId: 12345,
      portalId: isKnown ? PORTAL : 1,
      occurredAt: 1564113600000,
      attemptNumber: 0,
    };
    const body = JSON.stringify([
      { ...event, subscriptionType: 'contact.creation', objectId: 123 },
      { ...event, subscriptionType: 'deal.propertyChange', objectId: 456, propertyName: 'amount' },
    ]);
    const timestamp = String(sentAt.getTime());
    return {
      headers: {
        'content-type': 'application/json',
        'x-hubspot-request-timestamp': timestamp,
        'x-hubspot-signature-v3': createHmac('sha256', secret).update(`POST${url}${body}${timestamp}`).digest('base64'),
      },
      body,
    };
  },
} satisfies WebhookCase;
