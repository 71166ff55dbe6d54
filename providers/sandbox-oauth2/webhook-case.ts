import { createHmac } from 'node:crypto';
import type { WebhookCase } from '#contract';

export default {
  secret: 'clientSecret',
  connection: { connectionConfig: { account: 'ada' } },
  signatureHeaders: ['sandbox-signature'],
  types: ['note.created'],
  deliver: ({ isKnown, secret, number }) => {
    const note = { id: 'note-7', text: 'Buy milk', author: 'Ada Lovelace' };
    const body = JSON.stringify({ id: `event-${number}`, type: 'note.created', account_id: isKnown ? 'ada' : 'nobody', note });
    return {
      headers: {
        'content-type': 'application/json',
        'sandbox-signature': createHmac('sha256', secret).update(body).digest('hex'),
      },
      body,
    };
  },
} satisfies WebhookCase;
