import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { ServiceError } from '../../core/errors.ts';
import { rotateWebhookSecret } from '../../core/tenants/environments/webhook-secret.ts';
import { signatureHeaders } from '../../core/webhook-delivery/attempt.ts';
import { verifyWebhook, verifyWebhookHmac } from '../../sdk/node/src/svc.ts';
import { rememberSecret } from '../support/canaries.ts';
import { Deliveries } from '../support/deliveries.ts';
import {
  isInstalled,
  LANGUAGES,
  type LanguageName,
  type SignedMessage,
  verifyAsDocumented,
} from '../support/documented-verifiers.ts';
import type { LedgerEntry } from '../support/scripted-server/ledger.ts';
import { size } from '../support/size.ts';
import { skipBecause } from '../support/skip.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const ENVIRONMENT = 1;
const MESSAGES = size(60, 1_000);

/** The example that the specification and the tests of its libraries use (github.com/standard-webhooks). */
const PUBLISHED = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

type Verify = (messages: readonly SignedMessage[]) => Promise<boolean[]>;

/** Verification by the specification's own library, and by our client. */
const VERIFIERS: Readonly<Record<string, Verify>> = {
  standardwebhooks: async (messages) => messages.map(verifiesByLibrary),
  'the client': async (messages) => messages.map(({ body, headers, secret }) => verifyWebhook(body, headers, secret)),
};

function verifiesByLibrary({ body, headers, secret }: SignedMessage): boolean {
  try {
    new Webhook(secret).verify(body.toString(), headers);
    return true;
  } catch {
    return false;
  }
}

describe('signatures of webhook messages (WHO-05)', () => {
  it("WHO-05: are those of the specification's own example", () => {
    const { signature, secret, ...message } = PUBLISHED;
    const headers = signatureHeaders(message, { current: secret, old: null });
    expect(headers).to.deep.equal({
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': signature,
      'x-svc-hmac-sha256': createHmac('sha256', secret).update(message.body).digest('hex'),
    });
  });

  for (const language of ['Node', 'Python'] as const) {
    it(`WHO-05: the documented ${language} takes that example, and nothing that differs from it`, async function () {
      if (!(await isInstalled(language))) skipBecause(this, `there is no ${language} here`);
      expect(await verifyAsDocumented(language, publishedCases())).to.deep.equal([true, true, ...Array(8).fill(false)]);
    });
  }
});

/** Returns the example, the example with a second, wrong signature, and changed messages that must be refused. */
function publishedCases(): SignedMessage[] {
  const { secret, id, at, body, signature } = PUBLISHED;
  const now = at.getTime() / 1_000;
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(now), 'webhook-signature': signature };
  const message = { body: Buffer.from(body), headers, secret, now };
  const other = `v1,${Buffer.alloc(32, 7).toString('base64')}`;
  const changed = (name: string, value: string) => ({ ...message, headers: { ...headers, [name]: value } });
  return [
    message,
    changed('webhook-signature', `${other} ${signature}`),
    { ...message, body: Buffer.from(`${body} `) },
    { ...message, secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}` },
    { ...message, now: now + 301 },
    { ...message, now: now - 301 },
    changed('webhook-id', 'msg_other'),
    changed('webhook-timestamp', String(now + 1)),
    changed('webhook-signature', other),
    changed('webhook-signature', signature.slice(0, -1)),
  ];
}

describe('the exchange of the signing secret under load (WHO-05)', function () {
  const deliveries = use(this, () => Deliveries.open());
  let older: string;
  let newer: string;
  /** The messages that arrived before the secret was exchanged, while both secrets signed, and after the older had expired. */
  let phases: Readonly<Record<'alone' | 'together' | 'afterwards', readonly LedgerEntry[]>>;

  before(async function () {
    this.timeout(120_000);
    const { ledger } = deliveries.application;
    older = await deliveries.secret();
    await deliveries.deliver();
    const sending = deliveries.send(MESSAGES);
    await until('some arrived', () => ledger.entries.length >= MESSAGES / 4, 60_000);
    newer = rememberSecret('webhook secret', (await rotateWebhookSecret(deliveries.app.services, ENVIRONMENT)).current);
    await sending;
    await deliveries.send(MESSAGES / 2);
    await deliveries.untilStatus('delivered', MESSAGES * 1.5, 60_000);
    const alone = ledger.entries.filter((entry) => signaturesOf(entry) === 1);
    const together = ledger.entries.filter((entry) => signaturesOf(entry) === 2);
    await deliveries.db('environments').update({ webhook_secret_old_until: deliveries.db.fn.now() });
    await deliveries.send(MESSAGES / 2);
    await deliveries.untilStatus('delivered', MESSAGES * 2, 60_000);
    phases = { alone, together, afterwards: ledger.entries.slice(alone.length + together.length) };
  });

  it('WHO-05: happened while messages were on their way', () => {
    expect(phases.alone.length).to.be.at.least(MESSAGES / 4);
    expect(phases.together.length).to.be.at.least(MESSAGES / 2);
    expect(phases.afterwards).to.have.length(MESSAGES / 2);
    expect(phases.afterwards.every((entry) => signaturesOf(entry) === 1)).to.equal(true);
  });

  const verifiers = { ...VERIFIERS, ...documentedVerifiers() };
  for (const [name, verify] of Object.entries(verifiers)) {
    it(`WHO-05: is seen by ${name}: both verify during the overlap, only one before and after it`, async function () {
      this.timeout(60_000);
      if (name in LANGUAGES && !(await isInstalled(name as LanguageName))) skipBecause(this, `there is no ${name} here`);
      const outcome = async (entries: readonly LedgerEntry[], secret: string) =>
        new Set(await verify(entries.map(({ body, headers }) => ({ body, headers: plain(headers), secret }))));
      for (const [phase, entries, olderIsGood, newerIsGood] of [
        ['alone', phases.alone, true, false],
        ['together', phases.together, true, true],
        ['afterwards', phases.afterwards, false, true],
      ] as const) {
        expect([...(await outcome(entries, older))], `${phase}, older`).to.deep.equal([olderIsGood]);
        expect([...(await outcome(entries, newer))], `${phase}, newer`).to.deep.equal([newerIsGood]);
      }
    });
  }

  it("keeps the older one's HMAC of the body until its time is over", () => {
    const verified = (entries: readonly LedgerEntry[], secret: string) =>
      entries.every(({ body, headers }) => verifyWebhookHmac(body, headers, secret));
    expect(verified([...phases.alone, ...phases.together], older)).to.equal(true);
    expect(verified(phases.afterwards, newer)).to.equal(true);
    expect(phases.together.some(({ body, headers }) => verifyWebhookHmac(body, headers, newer))).to.equal(false);
  });

  it('is refused while two secrets sign', async () => {
    const rotate = async () =>
      rememberSecret('webhook secret', (await rotateWebhookSecret(deliveries.app.services, ENVIRONMENT)).current);
    const third = await rotate();
    const refusal = await rotate().catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(ServiceError).with.property('code', 'conflict');
    expect(await deliveries.secret()).to.equal(third);
  });
});

function documentedVerifiers(): Readonly<Record<LanguageName, Verify>> {
  return {
    Node: (messages) => verifyAsDocumented('Node', messages),
    Python: (messages) => verifyAsDocumented('Python', messages),
    Go: (messages) => verifyAsDocumented('Go', messages),
  };
}

function signaturesOf({ headers }: LedgerEntry): number {
  return String(headers['webhook-signature']).split(' ').length;
}

function plain(headers: LedgerEntry['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
