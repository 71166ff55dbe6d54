import { expect } from 'chai';
import { declaredWebhook, strangeConnections } from '../../test/support/declared-webhook.ts';
import { incomingJson, incomingWebhook } from '../../test/support/incoming-webhook.ts';

const { signature, events, deliveryId } = await declaredWebhook('calendly');
const [rule] = signature;

describe('provider calendly', () => {
  it('signs the timestamp and the body, with a dot between them', () => {
    if (rule.scheme !== 'hmac') throw new Error('the digest is an HMAC');
    const webhook = incomingWebhook({ headers: { 'calendly-webhook-signature': 't=1492774577,v1=5257a869e7' }, body: '{"a":1}' });
    expect(Buffer.from(rule.signedBytes?.(webhook) ?? '').toString()).to.equal('1492774577.{"a":1}');
    expect(rule.timestamp?.read(webhook)).to.deep.equal(new Date(1_492_774_577_000));
  });

  it('names the connection of the user who created the subscription', () => {
    const payload = { event: 'invitee.created', created_by: 'https://api.calendly.com/users/A', payload: {} };
    expect(events(incomingJson(payload))).to.deep.equal([
      {
        type: 'invitee.created',
        connections: [{ by: 'connectionConfig', field: 'owner', value: 'https://api.calendly.com/users/A' }],
      },
    ]);
  });

  it('gives another attempt, signed anew, the same delivery ID', () => {
    const tried = (header: string) =>
      deliveryId?.(incomingWebhook({ headers: { 'calendly-webhook-signature': header }, body: '{}' }));
    expect(tried('t=1,v1=a')).to.be.a('string').that.equals(tried('t=2,v1=b'));
    expect(deliveryId?.(incomingWebhook({ body: '[]' }))).to.not.equal(tried('t=1,v1=a'));
  });

  it('names no connection for what it does not understand', async () => {
    expect(strangeConnections(await declaredWebhook('calendly'))).to.deep.equal([]);
  });
});
