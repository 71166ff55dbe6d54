import { createHash } from 'node:crypto';
import type { ConnectionKey, IncomingWebhook, ProviderDefinition, WebhookEvent, WebhookRules } from '#contract';
import { signatureRulesOf } from './declared-signature.ts';
import { listReaderOf, type ReadDelivery, readerOf } from './delivery-values.ts';
import { standardWebhookId } from './standard-webhooks.ts';

type Declared = NonNullable<ProviderDefinition['webhook']>;

/** Compiles `webhook` of a definition. @returns undefined if it declares no signature: it then only has names for a plugin */
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

type DeclaredKey = NonNullable<NonNullable<Declared['events']>['connection']>[number];

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

/** In lower case, as host names are compared (RFC 4343); one label only, so that no other name ends in the suffix. */
function withoutSuffix(value: string | undefined, suffix: string): string | undefined {
  const name = value?.toLowerCase();
  if (!name?.endsWith(suffix.toLowerCase())) return undefined;
  const label = name.slice(0, -suffix.length);
  return /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(label) ? label : undefined;
}

function deliveryIdOf(place: string): (webhook: IncomingWebhook) => string | undefined {
  // The body stays the same where a provider signs each attempt anew.
  if (place === 'body') return ({ rawBody }) => createHash('sha256').update(rawBody).digest('hex');
  const read = readerOf(place);
  return (webhook) => read({ webhook });
}
