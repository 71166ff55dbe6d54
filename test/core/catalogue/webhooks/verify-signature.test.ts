import { expect } from 'chai';
import type { CustomRule, HmacRule, IncomingWebhook, IntegrationSecrets, SignatureRule, TokenRule } from '#contract';
import { canary } from '../../../support/canaries.ts';
import { forge } from '../../../support/signed-webhooks/schemes.ts';
import {
  HMAC,
  INVALID,
  incoming,
  integrationWith,
  MISSING,
  signed,
  verifyDelivery,
} from '../../../support/signed-webhooks/verification.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const clock = { now: () => NOW };
const BODY = Buffer.from('{"id": 1}');

const TOKEN = { ...HMAC, scheme: 'token', header: 'x-token' } as const satisfies TokenRule;
const OPEN = { scheme: 'unverified', reason: 'the provider signs nothing' } as const;

const hex = (secret: string, content: string | Buffer = BODY) => forge('sha256', secret, content).toString('hex');

/**
 * Deliveries from providers' documentation, each with the rule of its signature, the secret, the signed content and the resulting
 * header.
 */
const DOCUMENTED: Readonly<Record<string, { rule: HmacRule; secret: string; webhook: IncomingWebhook; at?: Date }>> = {
  'GitHub (Validating webhook deliveries)': {
    rule: { ...HMAC, header: 'x-hub-signature-256', prefix: 'sha256=' },
    secret: "It's a Secret to Everybody",
    webhook: incoming({
      rawBody: Buffer.from('Hello, World!'),
      headers: { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
    }),
  },
  'Jira Cloud (Webhooks, secure admin webhooks)': {
    rule: { ...HMAC, header: 'x-hub-signature', prefix: 'sha256=' },
    secret: "It's a Secret to Everybody",
    webhook: incoming({
      rawBody: Buffer.from('Hello World!'),
      headers: { 'x-hub-signature': 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9' },
    }),
  },
  'Slack (Verifying requests from Slack)': {
    rule: {
      ...HMAC,
      header: 'x-slack-signature',
      prefix: 'v0=',
      signedBytes: ({ headers, rawBody }) => `v0:${headers['x-slack-request-timestamp']}:${Buffer.from(rawBody)}`,
    },
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    webhook: incoming({
      rawBody: Buffer.from(
        'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar' +
          '&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com' +
          '%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.' +
          '803a0bc887a14d10d2c447fce8b6703c',
      ),
      headers: {
        'x-slack-request-timestamp': '1531420618',
        'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      },
    }),
  },
  'Standard Webhooks (specification)': {
    rule: {
      ...HMAC,
      header: 'webhook-signature',
      encoding: 'base64',
      prefix: 'v1,',
      key: (secret) => Buffer.from(secret.slice('whsec_'.length), 'base64'),
      signedBytes: ({ headers, rawBody }) => `${headers['webhook-id']}.${headers['webhook-timestamp']}.${Buffer.from(rawBody)}`,
    },
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    webhook: incoming({
      rawBody: Buffer.from('{"test": 2432232314}'),
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
    }),
  },
};

describe('the signature of a webhook', () => {
  const secret = canary('webhook secret');
  const clientSecret = canary('client secret');
  const integration = [integrationWith({ webhookSecret: secret, clientSecret })] as const;
  const bare = [integrationWith({})] as const;

  const verification = async (
    rule: SignatureRule,
    webhook: IncomingWebhook,
    secrets: readonly [IntegrationSecrets] = integration,
  ) => (await verifyDelivery([rule], { webhook, integration: secrets }, { clock })).verification;

  describe('as documented by', () => {
    for (const [provider, { rule, secret: documented, webhook }] of Object.entries(DOCUMENTED)) {
      it(`${provider} is verified`, async () => {
        expect(await verification(rule, webhook, [integrationWith({ webhookSecret: documented })])).to.equal('verified');
        expect(await verification(rule, { ...webhook, rawBody: Buffer.from('Hello, World?') })).to.equal(INVALID);
      });
    }
  });

  describe('of several rules', () => {
    const verifyAll = async (
      rules: readonly [SignatureRule, ...SignatureRule[]],
      webhook: IncomingWebhook,
      secrets = integration,
    ) => (await verifyDelivery(rules, { webhook, integration: secrets }, { clock })).verification;

    it('is verified by the first rule that applies, and by no later one', async () => {
      const webhook = signed(secret);
      const isOdd = ({ headers }: IncomingWebhook) => 'x-odd' in headers;
      expect(await verifyAll([{ ...HMAC, when: isOdd }, OPEN], webhook)).to.equal('unverified');
      expect(await verifyAll([{ ...TOKEN, when: () => true }, HMAC], webhook)).to.equal(MISSING);
      expect(await verifyAll([{ ...TOKEN, when: () => false }, HMAC], webhook)).to.equal('verified');
    });

    it('is refused when no rule applies', async () => {
      expect(
        await verifyAll(
          [
            { ...HMAC, when: () => false },
            { ...OPEN, when: () => false },
          ],
          signed(secret),
        ),
      ).to.equal(MISSING);
    });

    it('may be verified by a rule that depends on the settings of the integration', async () => {
      const rules = [
        { ...OPEN, when: (_: IncomingWebhook, set: IntegrationSecrets) => set.webhookSecret === undefined },
        HMAC,
      ] as const;
      expect(await verifyAll(rules, incoming())).to.equal(MISSING);
      expect(await verifyAll(rules, incoming(), [integrationWith({})])).to.equal('unverified');
    });
  });

  describe('without a secret', () => {
    const cases = { 'no secret': bare, 'an empty secret': [integrationWith({ webhookSecret: '' })] as const };
    for (const [name, none] of Object.entries(cases)) {
      it(`is refused if the rule says so (${name})`, async () => {
        expect(await verification(HMAC, signed(''), none)).to.equal(INVALID);
        expect(await verification(HMAC, incoming(), none)).to.equal(MISSING);
        expect(await verification(TOKEN, incoming({ headers: { 'x-token': '' } }), none)).to.equal(MISSING);
        expect(await verification(TOKEN, incoming({ headers: { 'x-token': 'undefined' } }), none)).to.equal(INVALID);
      });

      it(`is accepted as unverified if the rule says so (${name})`, async () => {
        for (const webhook of [signed('anything'), incoming()]) {
          expect(await verification({ ...HMAC, withoutSecret: 'accept' }, webhook, none)).to.equal('unverified');
        }
      });
    }

    it('is refused when the secret decodes to nothing, since anybody can sign with that', async () => {
      const key = (text: string) => Buffer.from(text.replace(/^whsec_/, ''), 'base64');
      const empty = [integrationWith({ webhookSecret: 'whsec_' })] as const;
      for (const withoutSecret of ['accept', 'refuse'] as const)
        expect(await verification({ ...HMAC, key, withoutSecret }, signed(''), empty)).to.equal(INVALID);
    });
  });

  describe('with a time', () => {
    const TOLERANCE_SECONDS = 300;
    const read = ({ headers }: IncomingWebhook) => (headers['x-time'] === undefined ? undefined : new Date(headers['x-time']));
    const rule: HmacRule = {
      ...HMAC,
      signedBytes: ({ headers, rawBody }) => `${headers['x-time']}.${Buffer.from(rawBody)}`,
      timestamp: { toleranceSeconds: TOLERANCE_SECONDS, read },
    };
    const at = (time: string) => {
      const digest = hex(secret, `${time}.${BODY}`);
      return incoming({ headers: { 'x-time': time, 'x-signature': digest } });
    };
    const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000).toISOString();

    const AGES = { '-301': INVALID, '-300': 'verified', '0': 'verified', '300': 'verified', '301': INVALID, '31536000': INVALID };
    for (const [seconds, expected] of Object.entries(AGES)) {
      it(`of ${seconds} s from now is ${expected === INVALID ? 'refused' : 'verified'}`, async () => {
        expect(await verification(rule, at(later(Number(seconds))))).to.equal(expected);
      });
    }

    it('is refused when the time is absent or invalid', async () => {
      const digest = hex(secret, `undefined.${BODY}`);
      expect(await verification(rule, incoming({ headers: { 'x-signature': digest } }))).to.equal(INVALID);
      for (const time of ['', 'yesterday', 'NaN', 'Infinity']) expect(await verification(rule, at(time)), time).to.equal(INVALID);
    });

    it('is refused when an old signature comes with another time', async () => {
      const { headers } = at(later(-3600));
      expect(await verification(rule, incoming({ headers: { ...headers, 'x-time': later(0) } }))).to.equal(INVALID);
    });
  });

  describe('that is a shared token', () => {
    const FORGED: Readonly<Record<string, string>> = {
      'another one': canary('webhook secret of another'),
      'its beginning': secret.slice(0, -1),
      'with a character more': `${secret}x`,
      'in capitals': secret.toUpperCase(),
      'sent twice': `${secret}, ${secret}`,
      'after a scheme': `Bearer ${secret}`,
      quoted: `"${secret}"`,
      'the client secret': clientSecret,
      hashed: hex(secret),
    };

    it('is verified', async () => {
      expect(await verification(TOKEN, incoming({ headers: { 'x-token': secret } }))).to.equal('verified');
    });

    for (const [name, token] of Object.entries(FORGED)) {
      it(`is refused when it is ${name}`, async () => {
        expect(await verification(TOKEN, incoming({ headers: { 'x-token': token } }))).to.equal(INVALID);
      });
    }

    it('is reported as missing when it is absent or empty', async () => {
      for (const headers of [{}, { 'x-token': '' }]) expect(await verification(TOKEN, incoming({ headers }))).to.equal(MISSING);
    });
  });

  describe("by a plugin's own check", () => {
    const rule = (isValid: (webhook: IncomingWebhook, secret: string) => unknown): CustomRule => ({
      scheme: 'custom',
      secret: { in: 'clientSecret' },
      withoutSecret: 'refuse',
      isValid: isValid as CustomRule['isValid'],
    });

    it('is verified when the check returns true for the secret that the rule names', async () => {
      expect(
        await verification(
          rule((_, given) => given === clientSecret),
          incoming(),
        ),
      ).to.equal('verified');
      expect(
        await verification(
          rule((_, given) => given === secret),
          incoming(),
        ),
      ).to.equal(INVALID);
    });

    for (const [name, value] of Object.entries({
      'a promise': Promise.resolve(true),
      'a text': 'true',
      one: 1,
      nothing: undefined,
    })) {
      it(`is refused when the check returns ${name}`, async () => {
        expect(
          await verification(
            rule(() => value),
            incoming(),
          ),
        ).to.equal(INVALID);
      });
    }
  });

  it('is not required if a rule says so, and the reason is logged', async () => {
    const lines: string[] = [];
    const { verification } = await verifyDelivery(
      [OPEN],
      { webhook: incoming(), integration: bare },
      { write: (line) => lines.push(line) },
    );
    expect(verification).to.equal('unverified');
    expect(lines.join('')).to.include(OPEN.reason);
  });
});
