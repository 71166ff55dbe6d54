import type { IncomingWebhook } from '#contract';

/** Whether an app registered this webhook: it carries a bearer JWT, and no digest of an admin's secret. */
export function isDynamic(webhook: IncomingWebhook): boolean {
  return webhook.headers['x-hub-signature'] === undefined && bearerOf(webhook) !== undefined;
}

/** The JWT. Some deployments write its scheme as `JWT`. */
export function bearerOf({ headers }: IncomingWebhook): string | undefined {
  return /^(?:Bearer|JWT) +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
}
