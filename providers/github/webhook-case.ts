import { createHmac } from 'node:crypto';
import type { WebhookCase } from '#contract';

const OWNER = 583231;

export default {
  secret: 'webhookSecret',
  connection: { connectionConfig: { user_id: String(OWNER) } },
  signatureHeaders: ['x-hub-signature-256'],
  types: ['issues'],
  deliver: ({ isKnown, secret, number }) => {
    const repository = { id: 1296269, full_name: 'octocat/Hello-World', owner: { login: 'octocat', id: isKnown ? OWNER : 1 } };
    const body = JSON.stringify({ action: 'opened', issue: { number }, repository, sender: { login: 'octocat', id: OWNER } });
    return {
      headers: {
        'content-type': 'application/json',
        'user-agent': 'GitHub-Hookshot/044aadd',
        'x-github-event': 'issues',
        'x-github-delivery': `72d3162e-cc78-11e3-81ab-${String(number).padStart(12, '0')}`,
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
      body,
    };
  },
} satisfies WebhookCase;
