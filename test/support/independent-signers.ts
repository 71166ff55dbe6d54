import { execFileSync } from 'node:child_process';
import { sign as signByOctokit } from '@octokit/webhooks-methods';
import type { CaseDelivery } from '#contract';

interface Signed {
  readonly secret: string;
  /** The webhook's address as the provider knows it. */
  readonly url: string;
  readonly delivery: CaseDelivery;
}

type Headers = Readonly<Record<string, string>>;

/**
 * Functions that sign deliveries as eight providers do, by provider. They use the provider's package or openssl, but neither the
 * service's code nor Node.js's crypto module.
 */
export const INDEPENDENT_SIGNERS: Readonly<Record<string, (signed: Signed) => Promise<Headers>>> = {
  github: async ({ secret, delivery }) => ({ 'x-hub-signature-256': await signByOctokit(secret, delivery.body) }),
  gitlab: async ({ secret }) => ({ 'x-gitlab-token': secret }),
  slack: async ({ secret, delivery: { headers, body } }) => ({
    'x-slack-signature': `v0=${hmac(secret, `v0:${headers['x-slack-request-timestamp']}:${body}`).toString('hex')}`,
  }),
  stripe: async (signed) => ({ 'stripe-signature': timed(signed, now()) }),
  shopify: async ({ secret, delivery }) => ({ 'x-shopify-hmac-sha256': hmac(secret, delivery.body).toString('base64') }),
  linear: async ({ secret, delivery }) => ({ 'linear-signature': hmac(secret, delivery.body).toString('hex') }),
  calendly: async (signed) => ({ 'calendly-webhook-signature': timed(signed, now()) }),
  hubspot: async ({ secret, url, delivery: { headers, body } }) => ({
    'x-hubspot-signature-v3': hmac(secret, `POST${url}${body}${headers['x-hubspot-request-timestamp']}`).toString('base64'),
  }),
};

const now = () => Math.floor(Date.now() / 1000);

function timed({ secret, delivery }: Signed, seconds: number): string {
  return `t=${seconds},v1=${hmac(secret, `${seconds}.${delivery.body}`).toString('hex')}`;
}

function hmac(secret: string, content: string): Buffer {
  const key = `hexkey:${Buffer.from(secret).toString('hex')}`;
  return execFileSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', key, '-binary'], { input: content });
}
