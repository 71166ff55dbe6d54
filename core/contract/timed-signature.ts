import type { HmacRule, IncomingWebhook } from './webhook.ts';

/**
 * Returns the parts of an HMAC rule whose header is `t=<seconds>,v1=<digest>`: `<seconds>.<body>` is signed, and there may be
 * several digests while a secret is being replaced. Other names in the header are ignored.
 */
export function timedSignature(
  header: string,
  toleranceSeconds: number,
): Required<Pick<HmacRule, 'header' | 'signatures' | 'signedBytes' | 'timestamp'>> {
  const timeOf = ({ headers }: IncomingWebhook): string => partsOf(headers[header] ?? '', 't')[0] ?? '';
  return {
    header,
    signatures: (text) => partsOf(text, 'v1'),
    signedBytes: (webhook) => Buffer.concat([Buffer.from(`${timeOf(webhook)}.`), webhook.rawBody]),
    timestamp: { toleranceSeconds, read: (webhook) => dateOf(timeOf(webhook)) },
  };
}

function dateOf(seconds: string): Date | undefined {
  return /^\d{1,12}$/.test(seconds) ? new Date(Number(seconds) * 1000) : undefined;
}

function partsOf(header: string, name: string): string[] {
  const parts = header.split(',').map((part) => part.trim());
  return parts.flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []));
}
