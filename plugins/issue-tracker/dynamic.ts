import type { IncomingWebhook } from '#contract';

/**
 * Returns whether an app registered the webhook. The provider then sends a bearer JWT, and no digest made with the secret of an
 * admin.
 */
export function isDynamic(webhook: IncomingWebhook): boolean {
  return webhook.headers['x-hub-signature'] === undefined && bearerOf(webhook) !== undefined;
}

/** Returns the bearer JWT. Some deployments name its scheme `JWT` instead of `Bearer`. */
export function bearerOf({ headers }: IncomingWebhook): string | undefined {
  return /^(?:Bearer|JWT) +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
}
