import type { WebhookCase } from '#contract';

export default {
  secret: 'webhookSecret',
  connection: { connectionConfig: { namespace_url: 'https://gitlab.example.com/mike' } },
  signatureHeaders: ['x-gitlab-token'],
  types: ['Push Hook'],
  deliver: ({ isKnown, secret, number }) => {
    const path = isKnown ? 'mike/diaspora' : 'nobody/diaspora';
    const project = { id: 15, web_url: `https://gitlab.example.com/${path}`, path_with_namespace: path };
    return {
      headers: {
        'content-type': 'application/json',
        'user-agent': 'GitLab/18.2.0',
        'x-gitlab-event': 'Push Hook',
        'x-gitlab-event-uuid': '13792a34-cac6-4fda-95a8-c58e00a3954e',
        'x-gitlab-instance': 'https://gitlab.example.com',
        'idempotency-key': `f5e5f430-f57b-4e6e-9fac-${String(number).padStart(12, '0')}`,
        'x-gitlab-token': secret,
      },
      body: JSON.stringify({ object_kind: 'push', ref: 'refs/heads/main', project_id: 15, project, total_commits_count: number }),
    };
  },
} satisfies WebhookCase;
