import { expect } from 'chai';
import { incomingJson, incomingWebhook, STRANGE_PAYLOADS } from '../../test/support/incoming-webhook.ts';
import plugin from './plugin.ts';

const signed = (header: string) => incomingWebhook({ headers: { 'stripe-signature': header }, body: '{}' });

const [, { signatures: digestsIn, signedBytes, timestamp }] = plugin.webhook.signature;
const sentAt = timestamp.read;

describe('plugin stripe', () => {
  describe('webhooks', () => {
    it('reads every v1 signature and the first timestamp from the header', () => {
      expect(digestsIn('t=1,v1=a,v0=b,v1=c')).to.deep.equal(['a', 'c']);
      expect(digestsIn('')).to.deep.equal([]);
      expect(Buffer.from(signedBytes(signed('v1=a, t=12'))).toString()).to.equal('12.{}');
      expect(sentAt(signed('t=12,t=13'))).to.deep.equal(new Date(12_000));
      for (const header of ['', 't=', 't=1e3', 't=-1', 't=9999999999999', 'v1=a']) {
        expect(sentAt(signed(header)), header).to.equal(undefined);
      }
    });

    it('names the connection in the URL first, and then accepts only the secret of that connection', () => {
      const webhook = { ...incomingJson({ type: 'invoice.paid', account: 'acct_1' }), query: { svcConnectionId: 'c-1' } };
      expect(plugin.webhook.events(webhook)[0]?.connections).to.deep.equal([
        { by: 'connectionId', value: 'c-1' },
        { by: 'connectionConfig', field: 'account_id', value: 'acct_1' },
      ]);
      const [own, platform] = plugin.webhook.signature;
      expect([own.when(webhook), own.when(incomingJson({}))]).to.deep.equal([true, false]);
      expect(own.secret.read({ connectionConfig: { webhook_secret: 'whsec_1' }, metadata: {} })).to.equal('whsec_1');
      expect(platform.secret).to.deep.equal({ in: 'webhookSecret' });
    });

    it('names the account at the end of the context, or the account that the event is about', () => {
      const accountOf = (payload: object) => plugin.webhook.events(incomingJson(payload))[0]?.connections;
      const key = (value: string) => [{ by: 'connectionConfig', field: 'account_id', value }];
      expect(accountOf({ account: 'acct_2', context: 'acct_1/acct_2' })).to.deep.equal(key('acct_2'));
      expect(accountOf({ object: 'v2.core.event', context: 'acct_1/acct_2' })).to.deep.equal(key('acct_2'));
      expect(accountOf({ object: 'v2.core.event', context: 'acct_1' })).to.deep.equal(key('acct_1'));
      const about = (type: string) => ({ object: 'v2.core.event', context: null, related_object: { id: 'acct_3', type } });
      expect(accountOf(about('v2.core.account'))).to.deep.equal(key('acct_3'));
      expect(accountOf(about('v2.core.account_person'))).to.deep.equal([]);
    });

    it('gives events with the same ID different delivery IDs for different connections', () => {
      const webhook = incomingJson({ id: 'evt_1' });
      const ids = [{}, { svcConnectionId: 'c-1' }, { svcConnectionId: 'c-2' }].map((query) =>
        plugin.webhook.deliveryId({ ...webhook, query }),
      );
      expect(new Set(ids).size).to.equal(3);
      expect(plugin.webhook.deliveryId(incomingJson({}))).to.equal(undefined);
    });

    it('names no connection for what it does not understand', () => {
      for (const payload of STRANGE_PAYLOADS) {
        expect(plugin.webhook.events(incomingJson(payload)).flatMap(({ connections }) => connections)).to.deep.equal([]);
      }
    });
  });
});
