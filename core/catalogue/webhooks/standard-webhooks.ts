import type { HmacRule, IncomingWebhook, SignatureRule, WebhookRules } from '#contract';

/**
 * The first word of the three header names: `webhook` in the specification; `svix` in the older names, which Svix still sends.
 */
type Names = 'webhook' | 'svix';

/** The default of the specification's own libraries. */
const TOLERANCE_SECONDS = 300;
const SECONDS = /^\d{1,11}$/;

/** Returns the rules by which signatures according to standardwebhooks.com are verified, with either set of header names. */
export function standardWebhooks(
  secret: Pick<HmacRule, 'secret' | 'withoutSecret'>,
  toleranceSeconds = TOLERANCE_SECONDS,
): WebhookRules['signature'] {
  const rule = (names: Names) => ({ ...secret, ...ruleOf(names, toleranceSeconds) });
  return [{ ...rule('svix'), when: (webhook) => namesIn(webhook) === 'svix' }, rule('webhook')];
}

/** Returns the ID that all attempts share and that the signature covers. */
export function standardWebhookId(webhook: IncomingWebhook): string | undefined {
  return webhook.headers[`${namesIn(webhook)}-id`];
}

function namesIn({ headers }: IncomingWebhook): Names {
  return headers['webhook-signature'] === undefined && headers['svix-signature'] !== undefined ? 'svix' : 'webhook';
}

/** The rule for `webhook-signature: v1,<base64> …` over `<id>.<timestamp>.<body>`; the key is the base64 after `whsec_`. */
function ruleOf(names: Names, toleranceSeconds: number): Omit<SignatureRule & HmacRule, 'secret' | 'withoutSecret'> {
  return {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: `${names}-signature`,
    encoding: 'base64',
    key: (secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'),
    signatures: (header) => header.split(' ').flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : [])),
    signedBytes: ({ headers, rawBody }) =>
      Buffer.concat([Buffer.from(`${headers[`${names}-id`] ?? ''}.${headers[`${names}-timestamp`] ?? ''}.`), rawBody]),
    timestamp: { toleranceSeconds, read: ({ headers }) => timeOf(headers[`${names}-timestamp`]) },
  };
}

/** Reads seconds since 1970. */
function timeOf(text = ''): Date | undefined {
  return SECONDS.test(text) ? new Date(Number(text) * 1000) : undefined;
}
