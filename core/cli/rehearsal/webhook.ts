import { isDeepStrictEqual } from 'node:util';
import type {
  CaseDelivery,
  ConnectionKey,
  IncomingWebhook,
  Json,
  WantedDelivery,
  WebhookCase,
  WebhookEvent,
  WebhookRules,
} from '#contract';
import { ruleFor, verifySignature } from '../../catalogue/webhooks/verify-signature.ts';
import { ServiceError } from '../../errors.ts';
import { readIncoming } from '../../webhook-ingress/incoming.ts';
import type { RehearsalStage } from './stage.ts';
import { notApplicable, ok, RehearsalFault, type RehearsalOutcome } from './step.ts';
import { CASE_FILE } from './webhook-case.ts';

const BASE_URL = 'http://localhost:3003';
const HANDSHAKE_SECRET = 'secret of a handshake';
const TARGET = '/webhook/rehearsal/rehearsal';
/** By how many seconds the delivery that must be refused as too old exceeds the limit of age. */
const MARGIN_SECONDS = 5;
const SIGNATURE_ERRORS: ReadonlySet<string> = new Set(['webhook_missing_signature', 'webhook_invalid_signature']);

interface Sample {
  readonly rules: WebhookRules;
  readonly sample: WebhookCase;
}

/** Receives the deliveries that `webhook-case.ts` describes: correct, unsigned, forged, changed and too old. */
export async function receiveCase(
  stage: RehearsalStage,
  rules: WebhookRules | undefined,
  sample: WebhookCase | undefined,
): Promise<RehearsalOutcome> {
  if (rules === undefined) return notApplicable('neither the definition nor the plugin has a webhook part');
  if (sample === undefined) return withoutCase(stage);
  const case_ = { rules, sample };
  const { verified, events } = await receive(stage, case_, deliver(stage, sample, {}));
  if (!verified) throw inCase(sample, 'a signed delivery is not verified, because a rule before that of its signature applies');
  const types = events.map(({ type }) => type);
  if (!isDeepStrictEqual(types, [...sample.types]))
    throw inCase(
      sample,
      `the events are ${JSON.stringify(types)}, not ${JSON.stringify(sample.types)}`,
      'correct `events`, or `types` of the case',
    );
  for (const { connections } of events)
    if (!connections.some((key) => matches(key, sample.connection)))
      throw inCase(
        sample,
        `no key matches the connection of the case: ${JSON.stringify(connections)}`,
        'compare the keys of `events` with `connection` of the case',
      );
  await refuseForgeries(stage, case_);
  const unknown = await receive(stage, case_, deliver(stage, sample, { isKnown: false })).catch(notVerified);
  if (unknown.events.some(({ connections }) => connections.some((key) => matches(key, sample.connection))))
    throw inCase(sample, 'a delivery for another connection matches the connection of the case');
  return ok(`${types.map((type) => type ?? 'an event').join(', ')}: accepted when signed, refused when not, forged or changed`);
}

function withoutCase({ definition, plugin }: RehearsalStage): RehearsalOutcome {
  const isSigned = definition.webhook?.signature !== undefined || typeof plugin.webhook === 'object';
  if (!isSigned) return notApplicable('no signature is declared');
  throw new RehearsalFault(`the webhook part is not tested: there is no ${CASE_FILE}`, {
    path: ['webhook'],
    advice: `write ${CASE_FILE} with a delivery as the provider documents it (docs/plugins.md)`,
  });
}

async function refuseForgeries(stage: RehearsalStage, { rules, sample }: Sample): Promise<void> {
  const { headers, body, ...rest } = deliver(stage, sample, {});
  const unsigned = Object.fromEntries(Object.entries(headers).filter(([name]) => !sample.signatureHeaders.includes(name)));
  const signsBody = rules.signature.every(({ scheme }) => scheme !== 'token');
  const { toleranceSeconds } = sample;
  const at = (seconds: number) => new Date(stage.clock.now().getTime() + seconds * 1000);
  const forged: [string, CaseDelivery][] = [
    ['without its signature', { ...rest, headers: unsigned, body }],
    ['signed with another secret', deliver(stage, sample, { secret: 'somebody else’s secret' })],
    ...(signsBody ? [['changed in transit', { ...rest, headers, body: `${body} ` }] as [string, CaseDelivery]] : []),
    ...(toleranceSeconds === undefined
      ? []
      : [
          ['that is too old', deliver(stage, sample, { sentAt: at(-toleranceSeconds - MARGIN_SECONDS) })] as [
            string,
            CaseDelivery,
          ],
        ]),
  ];
  for (const [what, delivery] of forged) {
    const isAccepted = await receive(stage, { rules, sample }, delivery).then(({ verified }) => verified, isNoRefusal);
    if (isAccepted) throw inCase(sample, `a delivery ${what} is accepted`, 'correct `signature` of the webhook part');
  }
}

/**
 * Returns false if a delivery was refused for its signature. Any other error is thrown, since a refusal for another reason proves
 * nothing.
 */
function isNoRefusal(error: unknown): false {
  if (error instanceof ServiceError && SIGNATURE_ERRORS.has(error.code)) return false;
  throw error;
}

function notVerified(error: unknown): { events: readonly WebhookEvent[] } {
  isNoRefusal(error);
  return { events: [] };
}

function deliver({ integration, clock }: RehearsalStage, sample: WebhookCase, wanted: Partial<WantedDelivery>): CaseDelivery {
  const secret = sample.secret === 'handshake' ? HANDSHAKE_SECRET : (integration.client[sample.secret] ?? '');
  return sample.deliver({ isKnown: true, secret, url: BASE_URL + TARGET, sentAt: clock.now(), number: 1, ...wanted });
}

async function receive(stage: RehearsalStage, { rules, sample }: Sample, { headers, query, body }: CaseDelivery) {
  const search = new URLSearchParams(query).toString();
  const target = search === '' ? TARGET : `${TARGET}?${search}`;
  const arrived = { method: 'POST', target, headers, readBody: async () => ({ bytes: Buffer.from(body) }) };
  const { webhook } = await readIncoming(arrived, { baseUrl: BASE_URL, payloadField: rules.payloadField });
  const { clientId, clientSecret, webhookSecret } = stage.integration.client;
  const integration = { clientId, clientSecret, webhookSecret, config: stage.integration.integrationConfig };
  const { connectionConfig = {}, metadata = {} } = sample.connection;
  const deps = { clock: stage.clock, log: stage.log, keySets: NO_KEYS };
  const delivery = { webhook, integration: [integration] } as const;
  const { verified } = await verifySignature(deps, ruleFor(deps, rules, delivery), {
    ...delivery,
    connections: [{ connectionConfig, metadata }],
    handshakeSecrets: sample.secret === 'handshake' ? [HANDSHAKE_SECRET] : [],
  });
  return { verified, events: eventsOf(rules, webhook) };
}

function eventsOf(rules: WebhookRules, webhook: IncomingWebhook): readonly WebhookEvent[] {
  const events: unknown = rules.events(webhook);
  if (Array.isArray(events) && events.every((event) => Array.isArray(event?.connections))) return events;
  throw new RehearsalFault('webhook.events must return a list of {connections, type?, payload?}', {
    path: ['webhook', 'events'],
  });
}

/** Returns whether a key of an event finds the connection of the case, as the database would: a number is found by its digits. */
function matches(key: ConnectionKey, { connectionId, connectionConfig = {}, metadata = {} }: WebhookCase['connection']): boolean {
  switch (key.by) {
    case 'broadcast':
      return true;
    case 'connectionId':
      return connectionId === key.value;
    case 'connectionConfig': {
      const known = text(connectionConfig[key.field]);
      return key.as === 'origin' ? URL.parse(known)?.origin === URL.parse(key.value)?.origin : known === key.value;
    }
    case 'metadata':
      return text(metadata[key.field]) === key.value;
    case 'metadataContains': {
      const listed = metadata[key.field];
      return Array.isArray(listed) && listed.some((item) => text(item) === key.value);
    }
  }
}

function text(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Stands in for the provider's public keys, which are not part of a rehearsal. */
const NO_KEYS = { find: () => Promise.reject(new Error('a rehearsal has no public keys of the provider')) };

function inCase({ provider }: WebhookCase, message: string, advice?: string): RehearsalFault {
  const of = provider === undefined ? '' : ` (as ${provider})`;
  return new RehearsalFault(message + of, { path: ['webhook'], ...(advice !== undefined && { advice }) });
}
