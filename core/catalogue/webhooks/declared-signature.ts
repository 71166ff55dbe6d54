import {
  type HmacRule,
  type IncomingWebhook,
  type ProviderDefinition,
  type SecretSource,
  textAt,
  timedSignature,
  type WebhookRules,
} from '#contract';
import { readerOf } from './delivery-values.ts';
import { standardWebhooks } from './standard-webhooks.ts';

type Declared = NonNullable<NonNullable<ProviderDefinition['webhook']>['signature']>;

const CONNECTION_CONFIG = 'connection_config.';
const PART = /(\$\{[^{}]*\})/;
/** Numbers above are milliseconds: as seconds they lie beyond the year 5000. */
const MAX_EPOCH_SECONDS = 1e11;

/** The rules that a definition's `webhook.signature` stands for. A delivery that no secret can verify is refused. */
export function signatureRulesOf(declared: Declared): WebhookRules['signature'] {
  const { algorithm = 'sha256', encoding = 'hex', header = '', tolerance_seconds: toleranceSeconds = 0, over } = declared;
  const base = { secret: secretOf(declared.secret), withoutSecret: 'refuse' } as const;
  const name = header.toLowerCase();
  const hmac = { ...base, scheme: 'hmac', algorithm, encoding, ...(over && { over }) } as const;
  switch (declared.scheme) {
    case 'token':
      return [{ ...base, scheme: 'token', header: name }];
    case 'timed_hmac':
      return [{ ...hmac, ...timedSignature(name, toleranceSeconds) }];
    case 'standard_webhooks':
      return standardWebhooks(base, declared.tolerance_seconds);
    case 'hmac':
      return [{ ...hmac, header: name, ...(declared.prefix && { prefix: declared.prefix }), ...signedParts(declared) }];
  }
}

function secretOf(declared: Declared['secret'] = 'webhook_secret'): SecretSource {
  if (declared === 'handshake') return { in: 'handshake' };
  if (!declared.startsWith(CONNECTION_CONFIG)) return { in: declared === 'client_secret' ? 'clientSecret' : 'webhookSecret' };
  const field = declared.slice(CONNECTION_CONFIG.length);
  return { in: 'connection', read: ({ connectionConfig }) => textAt(connectionConfig, field) };
}

function signedParts({ signed, timestamp, tolerance_seconds: toleranceSeconds }: Declared): Partial<HmacRule> {
  const readTime = timestamp === undefined ? () => undefined : readerOf(timestamp);
  return {
    ...(signed !== undefined && { signedBytes: bytesOf(signed, readTime) }),
    ...(toleranceSeconds !== undefined && {
      timestamp: { toleranceSeconds, read: (webhook) => dateOf(readTime({ webhook })) },
    }),
  };
}

function bytesOf(template: string, readTime: ReturnType<typeof readerOf>): (webhook: IncomingWebhook) => Uint8Array {
  const parts = template.split(PART).map((part) => partReader(part, readTime));
  return (webhook) => Buffer.concat(parts.map((read) => read(webhook)));
}

function partReader(part: string, readTime: ReturnType<typeof readerOf>): (webhook: IncomingWebhook) => Uint8Array {
  const name = part.startsWith('${') ? part.slice(2, -1) : undefined;
  if (name === undefined) return () => Buffer.from(part);
  if (name === 'body') return ({ rawBody }) => rawBody;
  if (name === 'method' || name === 'url') return (webhook) => Buffer.from(webhook[name]);
  const read = name === 'timestamp' ? readTime : readerOf(name);
  return (webhook) => Buffer.from(read({ webhook }) ?? '');
}

/** Seconds or milliseconds since 1970, or ISO 8601 with a time zone. */
function dateOf(time = ''): Date | undefined {
  if (/^\d{1,15}$/.test(time)) return new Date(Number(time) * (Number(time) < MAX_EPOCH_SECONDS ? 1000 : 1));
  return /^\d{4}-\d\d-\d\dT[\d:.]{5,18}(?:Z|[+-]\d\d:\d\d)$/.test(time) ? new Date(time) : undefined;
}
