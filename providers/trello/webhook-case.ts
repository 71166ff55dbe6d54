import { createHmac } from 'node:crypto';
import type { WebhookCase } from '#contract';

const CONNECTION = 'trello-connection';

export default {
  secret: 'clientSecret',
  connection: { connectionId: CONNECTION },
  signatureHeaders: ['x-trello-webhook'],
  types: ['updateCard'],
  deliver: ({ isKnown, secret, url, number }) => {
    const query = { svcConnectionId: isKnown ? CONNECTION : 'nobody' };
    const action = { id: number.toString(16).padStart(24, '0'), type: 'updateCard', idMemberCreator: '4eea4ffc91e31d1746000046' };
    const body = JSON.stringify({ action, model: { id: '4d5ea62fd76aa1136000000c', name: 'Ä & Ö' } });
    const signed = `${body}${url}?${new URLSearchParams(query)}`;
    return {
      headers: {
        'content-type': 'application/json',
        'x-trello-webhook': createHmac('sha1', secret).update(signed).digest('base64'),
      },
      body,
      query,
    };
  },
} satisfies WebhookCase;
