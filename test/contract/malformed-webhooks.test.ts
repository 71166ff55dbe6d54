import { Agent } from 'node:http';
import { expect } from 'chai';
import type { IncomingWebhook, WebhookCase } from '#contract';
import { ERROR_STATUS, ServiceError } from '../../core/errors.ts';
import { readIncoming } from '../../core/webhook-ingress/incoming.ts';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { type MalformedDelivery, malformed } from '../support/malformed-deliveries.ts';
import { send } from '../support/raw-http.ts';
import { type SeededRandom, withSeededRandom } from '../support/seeded-random.ts';
import { integrationWith, verifyDelivery } from '../support/signed-webhooks/verification.ts';
import { size } from '../support/size.ts';
import { use } from '../support/use.ts';
import { storeScene, type WebhookPlugin, type WebhookScene, webhookPlugins } from '../support/webhook-cases.ts';

const SHAPES = 500;
const OVER_HTTP = size(40, 500);
const BASE_URL = 'https://svc.example';
const PATH = '/webhook/5a1b9a52-5f0c-4f6f-9d0e-0b0f2f7f5f10/any';
const SENT_AT = new Date('2026-01-02T03:04:05Z');

const plugins = (await webhookPlugins()).flatMap(({ sample, ...plugin }) =>
  sample === undefined ? [] : [{ ...plugin, sample }],
);

/** Returns the error code with which a delivery is refused, or how it was accepted. Throws if the plugin fails. */
async function outcomeOf({ rules }: Pick<WebhookPlugin, 'rules'>, one: MalformedDelivery, secret: string): Promise<string> {
  const webhook = await incoming(one);
  if (webhook instanceof ServiceError) return webhook.code;
  const handshake = rules.handshake?.(webhook);
  if (handshake !== undefined) return 'handshake';
  const secrets = { webhookSecret: secret, clientSecret: secret };
  const delivery = { webhook, integration: [integrationWith(secrets)] as const };
  const { verification } = await verifyDelivery(rules.signature, delivery, { clock: { now: () => SENT_AT } });
  expectUsable(rules.events(webhook));
  expect(['string', 'undefined']).to.include(typeof rules.deliveryId?.(webhook));
  expect(rules.reply?.(webhook).status ?? 200).to.be.within(200, 299);
  return verification;
}

async function incoming({ headers, body, search }: MalformedDelivery): Promise<IncomingWebhook | ServiceError> {
  const target = search === '' ? PATH : `${PATH}?${search}`;
  try {
    return (
      await readIncoming({ method: 'POST', target, headers, readBody: async () => ({ bytes: body }) }, { baseUrl: BASE_URL })
    ).webhook;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** Asserts that the events of a plugin conform to the contract. */
function expectUsable(events: ReturnType<WebhookPlugin['rules']['events']>): void {
  for (const { type, connections } of events) {
    expect(['string', 'undefined']).to.include(typeof type);
    for (const key of connections) {
      expect(key.by).to.not.equal('broadcast');
      expect('value' in key && typeof key.value === 'string' && key.value !== '', JSON.stringify(key)).to.equal(true);
    }
  }
}

/** Yields malformed deliveries for one plugin. */
function* deliveriesOf(sample: WebhookCase, facts: { random: SeededRandom; secret: string; url: string; sentAt: () => Date }) {
  const { random, secret, url } = facts;
  for (let number = 0; ; number += 1) {
    const whole = sample.deliver({ isKnown: random.below(2) === 0, secret, url, sentAt: facts.sentAt(), number });
    yield malformed(random, whole, sample.signatureHeaders);
  }
}

describe('malformed deliveries (WHK-05)', function () {
  this.timeout(size(120_000, 600_000));

  for (const { sample, ...plugin } of plugins) {
    it(`never make ${plugin.name} fail or accept an unsigned delivery: ${SHAPES} shapes`, () =>
      withSeededRandom(async (random) => {
        const secret = canary('webhook secret');
        const counts = new Map<string, number>();
        const made = deliveriesOf(sample, { random, secret, url: BASE_URL + PATH, sentAt: () => SENT_AT }).take(SHAPES);
        for (const one of made) {
          const outcome = await outcomeOf(plugin, one, secret);
          counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
          const status = outcome in ERROR_STATUS ? ERROR_STATUS[outcome as keyof typeof ERROR_STATUS] : 200;
          expect(status, outcome).to.be.below(500);
          if (outcome === 'verified') expect(mayPass(plugin, one), `${one.part}: ${JSON.stringify(one.headers)}`).to.equal(true);
          expect(outcome).to.not.equal('unverified');
        }
        // Some deliveries must be accepted: if all were refused, a plugin that fails after verification would go unnoticed.
        expect([...counts.keys()]).to.include.members(['verified', 'webhook_invalid_signature', 'webhook_missing_signature']);
      }));
  }

  describe('over HTTP', function () {
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    after(() => agent.destroy());
    const app = use(this, () => startApp({ env: { SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '0' } }));

    for (const { name, sample } of plugins) {
      it(`get 2xx or 4xx from ${name}`, () =>
        withSeededRandom(async (random) => {
          const scene: WebhookScene = await storeScene(app, name, sample);
          const { secret, url } = scene;
          const statuses = new Set<number>();
          for (const one of deliveriesOf(sample, { random, secret, url, sentAt: () => app.clock.now() }).take(OVER_HTTP)) {
            const { status, body } = await send(requestOf(url, one, agent));
            statuses.add(status);
            expect(status).to.satisfy((it: number) => (it >= 200 && it < 300) || (it >= 400 && it < 500));
            expect(Object.keys(status >= 400 ? JSON.parse(body.toString()).error : {})).to.not.include('stack');
          }
          expect([...statuses]).to.include(401);
        }));
    }

    it('leave no error in the log', () => {
      const faults = app.logLines.filter((line) => /"level":("error"|"fatal"|50|60)/.test(line));
      expect(faults).to.deep.equal([]);
    });
  });
});

/**
 * Returns whether a malformed delivery may be accepted: a header may hold nonsense beside a valid digest, and a token does not
 * cover the body.
 */
function mayPass({ rules }: Pick<WebhookPlugin, 'rules'>, { part }: MalformedDelivery): boolean {
  const holdsSeveral = rules.signature.some((rule) => rule.scheme === 'hmac' && rule.signatures !== undefined);
  const isToken = rules.signature.some(({ scheme }) => scheme === 'token');
  return part === 'rest' || (part === 'signature' && holdsSeveral) || (part === 'body' && isToken);
}

function requestOf(url: string, { headers, body, search }: MalformedDelivery, agent: Agent) {
  const { port, pathname } = new URL(url);
  const path = search === '' ? pathname : `${pathname}?${search}`;
  return { port: Number(port), method: 'POST', path, headers, body, agent };
}
