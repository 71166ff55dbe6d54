import type { IncomingWebhook } from '#contract';

/** `t=<seconds>,v1=<digest>`. */
export function digestsIn(header: string): string[] {
  return partsOf(header, 'v1');
}

/** `<timestamp>.<body>` (docs: "Webhook Signatures"). */
export function signedBytes(webhook: IncomingWebhook): Uint8Array {
  return Buffer.concat([Buffer.from(`${timestampOf(webhook)}.`), webhook.rawBody]);
}

export function sentAt(webhook: IncomingWebhook): Date | undefined {
  const seconds = timestampOf(webhook);
  return /^\d{1,12}$/.test(seconds) ? new Date(Number(seconds) * 1000) : undefined;
}

function timestampOf({ headers }: IncomingWebhook): string {
  return partsOf(headers['calendly-webhook-signature'] ?? '', 't')[0] ?? '';
}

function partsOf(header: string, name: string): string[] {
  const parts = header.split(',').map((part) => part.trim());
  return parts.flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []));
}
