import { type IncomingWebhook, textAt } from '#contract';

/** In the body, so that it is signed; milliseconds since 1970. */
export function sentAt({ payload }: IncomingWebhook): Date | undefined {
  const milliseconds = textAt(payload, 'webhookTimestamp') ?? '';
  return /^\d{1,15}$/.test(milliseconds) ? new Date(Number(milliseconds)) : undefined;
}
