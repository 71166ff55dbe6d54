import { expect } from 'chai';
import { incomingJson, incomingWebhook, STRANGE_PAYLOADS } from '../../test/support/incoming-webhook.ts';
import plugin from './plugin.ts';

const [{ signedBytes, timestamp }] = plugin.webhook.signature;
const sentAt = timestamp.read;

describe('plugin calendly', () => {
  it('signs the timestamp and the body, with a dot between them', () => {
    const webhook = incomingWebhook({ headers: { 'calendly-webhook-signature': 't=1492774577,v1=5257a869e7' }, body: '{"a":1}' });
    expect(Buffer.from(signedBytes(webhook)).toString()).to.equal('1492774577.{"a":1}');
    expect(sentAt(webhook)).to.deep.equal(new Date(1_492_774_577_000));
  });

  it('looks for whoever made the subscription', () => {
    const payload = { event: 'invitee.created', created_by: 'https://api.calendly.com/users/A', payload: {} };
    expect(plugin.webhook.events(incomingJson(payload))).to.deep.equal([
      {
        type: 'invitee.created',
        connections: [{ by: 'connectionConfig', field: 'owner', value: 'https://api.calendly.com/users/A' }],
      },
    ]);
  });

  it('knows a further try, signed anew, for the same delivery', () => {
    const tried = (header: string) =>
      plugin.webhook.deliveryId(incomingWebhook({ headers: { 'calendly-webhook-signature': header }, body: '{}' }));
    expect(tried('t=1,v1=a')).to.equal(tried('t=2,v1=b'));
    expect(plugin.webhook.deliveryId(incomingWebhook({ body: '[]' }))).to.not.equal(tried('t=1,v1=a'));
  });

  it('names no connection for what it does not understand', () => {
    for (const payload of STRANGE_PAYLOADS) {
      expect(plugin.webhook.events(incomingJson(payload)).flatMap(({ connections }) => connections)).to.deep.equal([]);
    }
  });
});
