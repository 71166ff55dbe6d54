import { expect } from 'chai';
import type { HmacRule, IncomingWebhook, SignatureRule } from '#contract';
import { canary, sweep } from '../../../support/canaries.ts';
import {
  HMAC,
  INVALID,
  incoming,
  integrationWith,
  MISSING,
  signed,
  verifyDelivery,
} from '../../../support/signed-webhooks/verification.ts';

describe('a signed delivery', () => {
  const secret = canary('webhook secret');
  const clientSecret = canary('client secret');
  const integration = [integrationWith({ webhookSecret: secret, clientSecret })] as const;

  describe('with a secret derived from several values', () => {
    const rule: HmacRule = {
      ...HMAC,
      secret: { in: 'integration', read: ({ webhookSecret, config }) => webhookSecret && `${config['region']}:${webhookSecret}` },
    };
    const set = integrationWith({ webhookSecret: secret, config: { region: 'eu' } });

    it('is verified with the derived secret, for each webhook secret in force', async () => {
      const before = { ...set, webhookSecret: canary('webhook secret before') };
      for (const { webhookSecret } of [set, before]) {
        const { verification } = await verifyDelivery([rule], {
          webhook: signed(`eu:${webhookSecret}`),
          integration: [set, before],
        });
        expect(verification).to.equal('verified');
      }
      expect((await verifyDelivery([rule], { webhook: signed(secret), integration: [set] })).verification).to.equal(INVALID);
    });
  });

  describe('with secrets of connections', () => {
    const rule: HmacRule = { ...HMAC, secret: { in: 'connection', read: ({ metadata }) => metadata['key']?.toString() } };
    const connectionOf = (name: string, key?: string) => ({
      name,
      connectionConfig: {},
      metadata: key === undefined ? {} : { key },
    });
    const ada = connectionOf('ada', canary('secret of a connection'));
    const grace = connectionOf('grace', canary('secret of a connection'));
    const plain = connectionOf('plain');
    const named = async (
      connections: readonly (typeof ada)[],
      webhook: IncomingWebhook,
      withoutSecret = HMAC.withoutSecret as 'refuse' | 'accept',
    ) => verifyDelivery([{ ...rule, withoutSecret }], { webhook, integration, connections });

    it('is verified only for the connections whose secret signed it', async () => {
      const { verification, connections } = await named([ada, grace, plain], signed(String(grace.metadata.key)));
      expect(verification).to.equal('verified');
      expect(connections).to.deep.equal([grace]);
    });

    it('is refused when another secret signed it, even one of the integration', async () => {
      for (const webhook of [signed(secret), signed(clientSecret), signed('')])
        for (const withoutSecret of ['refuse', 'accept'] as const)
          expect((await named([ada, plain], webhook, withoutSecret)).verification).to.equal(INVALID);
    });

    it('follows the rule for missing secrets when no connection has one, or none is named', async () => {
      for (const connections of [[plain], []]) {
        expect((await named(connections, signed(secret))).verification).to.equal(INVALID);
        expect((await named(connections, incoming())).verification).to.equal(MISSING);
        expect((await named(connections, signed(secret), 'accept')).verification).to.equal('unverified');
      }
    });
  });

  describe('whose rule throws', () => {
    const fail = () => {
      throw new Error(`cannot read {"id": 1} with ${secret}`);
    };
    const FAILING: Readonly<Record<string, SignatureRule>> = {
      when: { ...HMAC, when: fail },
      'secret.read of the integration': { ...HMAC, secret: { in: 'integration', read: fail } },
      'secret.read of a connection': { ...HMAC, secret: { in: 'connection', read: fail } },
      key: { ...HMAC, key: fail },
      'key, with something that is none': { ...HMAC, key: () => undefined as unknown as Uint8Array },
      signatures: { ...HMAC, signatures: fail },
      'signatures, with something that is no list': { ...HMAC, signatures: () => 7 as unknown as string[] },
      signedBytes: { ...HMAC, signedBytes: fail },
      'signedBytes, with something that is none': { ...HMAC, signedBytes: () => undefined as unknown as string },
      'timestamp.read': { ...HMAC, timestamp: { toleranceSeconds: 1, read: fail } },
      'timestamp.read, with a number': { ...HMAC, timestamp: { toleranceSeconds: 1, read: () => 7 as unknown as Date } },
      isValid: { scheme: 'custom', secret: { in: 'webhookSecret' }, withoutSecret: 'refuse', isValid: fail },
      'read of a token': { scheme: 'jwt', algorithm: 'HS256', secret: { in: 'clientSecret' }, read: fail },
      "read of a provider's token": {
        scheme: 'jwt',
        jwksUrl: 'https://keys.example',
        issuer: 'a',
        audience: 'webhookUrl',
        read: fail,
      },
    };
    for (const [name, rule] of Object.entries(FAILING)) {
      it(`in ${name} leads to 400, and is logged without secrets`, async () => {
        const lines: string[] = [];
        const connections = [{ connectionConfig: { webhook_secret: secret }, metadata: {} }];
        const delivery = { webhook: signed(secret), integration, connections };
        const { verification, error } = await verifyDelivery([rule], delivery, { write: (line) => lines.push(line) });
        expect(verification).to.equal('webhook_invalid_payload');
        expect(error?.status).to.equal(400);
        expect(lines).to.have.length(1);
        expect(sweep({ log: lines, message: error?.message ?? '', cause: String(error?.cause) })).to.deep.equal([]);
      });
    }
  });
});
