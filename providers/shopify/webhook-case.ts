import { createHmac } from 'node:crypto';
import type { WebhookCase } from '#contract';

export default {
  secret: 'clientSecret',
  connection: { connectionConfig: { subdomain: 'my-store' } },
  signatureHeaders: ['x-shopify-hmac-sha256'],
  types: ['products/update'],
  deliver: ({ isKnown, secret, number }) => {
    const body = JSON.stringify({ id: number, title: 'T-Shirt', status: 'active', vendor: 'Ä & Ö' });
    return {
      headers: {
        'content-type': 'application/json',
        'x-shopify-topic': 'products/update',
        'x-shopify-shop-domain': isKnown ? 'my-store.myshopify.com' : 'no-store.myshopify.com',
        'x-shopify-webhook-id': `b54557e4-bdd9-4b37-8a5f-${String(number).padStart(12, '0')}`,
        'x-shopify-event-id': '98880550-7158-44d4-b7cd-2c97c8a091b5',
        'x-shopify-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
      },
      body,
    };
  },
} satisfies WebhookCase;
