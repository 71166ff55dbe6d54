import type { IncomingWebhook } from '#contract';

/** Returns the bytes that Slack signs: `v0:<timestamp>:<body>` (docs: "Verifying requests from Slack"). */
export function signedBytes({ headers, rawBody }: IncomingWebhook): Uint8Array {
  return Buffer.concat([Buffer.from(`v0:${headers['x-slack-request-timestamp'] ?? ''}:`), rawBody]);
}

/** Reads the time of sending from the header, which holds seconds since 1970. */
export function sentAt({ headers }: IncomingWebhook): Date | undefined {
  const seconds = headers['x-slack-request-timestamp'] ?? '';
  return /^\d{1,12}$/.test(seconds) ? new Date(Number(seconds) * 1000) : undefined;
}
