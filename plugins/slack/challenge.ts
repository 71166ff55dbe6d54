import { type IncomingWebhook, textAt, type WebhookReply } from '#contract';

/** The maximum length of a challenge; Slack's are about 50 characters long. */
const MAX_LENGTH = 255;

/**
 * Echoes the challenge that Slack sends when a webhook URL is entered; otherwise Slack does not save the URL (docs:
 * `url_verification`).
 */
export function answerChallenge({ payload }: IncomingWebhook): WebhookReply | undefined {
  if (textAt(payload, 'type') !== 'url_verification') return undefined;
  const challenge = textAt(payload, 'challenge');
  if (challenge === undefined || challenge.length > MAX_LENGTH) return undefined;
  return { status: 200, body: JSON.stringify({ challenge }) };
}
