import { createHash } from 'node:crypto';
import {
  type ConnectionKey,
  type HmacRule,
  type IncomingWebhook,
  type ProviderDefinition,
  type SecretSource,
  textAt,
  timedSignature,
  type WebhookEvent,
  type WebhookRules,
} from '#contract';
import { listReaderOf, type ReadDelivery, readerOf } from './delivery-values.ts';
import { standardWebhookId, standardWebhooks } from './standard-webhooks.ts';

type Declared = NonNullable<ProviderDefinition['webhook']>;
type DeclaredSignature = NonNullable<Declared['signature']>;
type DeclaredKey = NonNullable<NonNullable<Declared['events']>['connection']>[number];

const CONNECTION_CONFIG = 'connection_config.';
const PART = /(\$\{[^{}]*\})/;
/** Larger numbers are milliseconds: as seconds they would be times after the year 5000. */
const MAX_EPOCH_SECONDS = 1e11;

const KINDS = {
  connection_id: 'connectionId',
  connection_config: 'connectionConfig',
  metadata: 'metadata',
  metadata_contains: 'metadataContains',
} as const;

const WHOSE = {
  connection_id: () => 'the connection ID',
  connection_config: (field: string) => `${field} of the connection configuration`,
  metadata: (field: string) => `${field} of the metadata`,
  metadata_contains: (field: string) => `in ${field} of the metadata`,
} as const;

/** Compiles `webhook` of a definition. @returns undefined if it declares no signature, since a plugin then verifies deliveries */
export function declaredRules({ webhook: declared }: Pick<ProviderDefinition, 'webhook'>): WebhookRules | undefined {
  if (declared?.signature === undefined) return undefined;
  const { payload, delivery_id: deliveryId, forward_headers: forwardHeaders } = declared;
  return {
    signature: signatureRulesOf(declared.signature),
    events: eventsReaderOf(declared.events ?? {}),
    matchedBy: (declared.events?.connection ?? []).map(wordsOf),
    ...(payload && { payloadField: payload.form_field }),
    ...(declared.signature.scheme === 'standard_webhooks' && { deliveryId: standardWebhookId }),
    ...(deliveryId && { deliveryId: deliveryIdOf(deliveryId) }),
    ...(forwardHeaders && { forwardHeaders: forwardHeaders.map((name) => name.toLowerCase()) }),
  };
}

function eventsReaderOf({ list, type, connection = [] }: NonNullable<Declared['events']>): WebhookRules['events'] {
  const readType = type === undefined ? () => undefined : readerOf(type);
  const keys = connection.map(keyReaderOf);
  const read = (delivery: ReadDelivery): WebhookEvent => ({
    type: readType(delivery),
    connections: keys.flatMap((readKey) => readKey(delivery) ?? []),
  });
  if (list === undefined) return (webhook) => [read({ webhook })];
  const readList = listReaderOf(list);
  return (webhook) => readList(webhook).map((event) => ({ ...read({ webhook, event }), payload: event }));
}

function wordsOf({ by, field = '', path, suffix }: DeclaredKey): string {
  return `${path}${suffix === undefined ? '' : `, without ${suffix},`} is ${WHOSE[by](field)}`;
}

function keyReaderOf({ by, field = '', path, suffix }: DeclaredKey): (delivery: ReadDelivery) => ConnectionKey | undefined {
  const readText = readerOf(path);
  const read = suffix === undefined ? readText : (delivery: ReadDelivery) => withoutSuffix(readText(delivery), suffix);
  const kind = KINDS[by];
  return (delivery) => {
    const value = read(delivery);
    if (value === undefined) return undefined;
    return kind === 'connectionId' ? { by: kind, value } : { by: kind, field, value };
  };
}

/**
 * Returns the name without the suffix, in lower case, as host names are compared (RFC 4343). Exactly one label must remain, so
 * that other names that end in the suffix do not count.
 */
function withoutSuffix(value: string | undefined, suffix: string): string | undefined {
  const name = value?.toLowerCase();
  if (!name?.endsWith(suffix.toLowerCase())) return undefined;
  const label = name.slice(0, -suffix.length);
  return /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(label) ? label : undefined;
}

function deliveryIdOf(place: string): (webhook: IncomingWebhook) => string | undefined {
  // A hash of the body identifies the delivery, since every attempt has the same body, even if the provider signs each anew.
  if (place === 'body') return ({ rawBody }) => createHash('sha256').update(rawBody).digest('hex');
  const read = readerOf(place);
  return (webhook) => read({ webhook });
}

/** Returns the rules for a definition's `webhook.signature`. A delivery is refused if there is no secret to verify it with. */
function signatureRulesOf(declared: DeclaredSignature): WebhookRules['signature'] {
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

function secretOf(declared: DeclaredSignature['secret'] = 'webhook_secret'): SecretSource {
  if (declared === 'handshake') return { in: 'handshake' };
  if (!declared.startsWith(CONNECTION_CONFIG)) return { in: declared === 'client_secret' ? 'clientSecret' : 'webhookSecret' };
  const field = declared.slice(CONNECTION_CONFIG.length);
  return { in: 'connection', read: ({ connectionConfig }) => textAt(connectionConfig, field) };
}

function signedParts({ signed, timestamp, tolerance_seconds: toleranceSeconds }: DeclaredSignature): Partial<HmacRule> {
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

/** Reads seconds or milliseconds since 1970, or ISO 8601 with a time zone. */
function dateOf(time = ''): Date | undefined {
  if (/^\d{1,15}$/.test(time)) return new Date(Number(time) * (Number(time) < MAX_EPOCH_SECONDS ? 1000 : 1));
  return /^\d{4}-\d\d-\d\dT[\d:.]{5,18}(?:Z|[+-]\d\d:\d\d)$/.test(time) ? new Date(time) : undefined;
}
