import { expect } from 'chai';
import { incomingJson, incomingWebhook, STRANGE_PAYLOADS } from '../../test/support/incoming-webhook.ts';
import plugin from './plugin.ts';
import { sentAt, signedBytes } from './signature.ts';

describe('plugin hubspot', () => {
  it('signs method, address, body and timestamp, with the documented characters decoded and no others', () => {
    const coded = '%3A%2f%3F%40%21%24%27%28%29%2A%2C%3B';
    const url = `https://svc.example/webhook/u/a%20key?name=${coded}&plus=%2B&equals=%3D&umlaut=%C3%A4`;
    const webhook = incomingWebhook({ url, headers: { 'x-hubspot-request-timestamp': '1564113600000' }, body: '[]' });
    const decoded = ":/?@!$'()*,;";
    expect(Buffer.from(signedBytes(webhook)).toString()).to.equal(
      `POSThttps://svc.example/webhook/u/a%20key?name=${decoded}&plus=%2B&equals=%3D&umlaut=%C3%A4[]1564113600000`,
    );
    expect(sentAt(webhook)).to.deep.equal(new Date(1_564_113_600_000));
  });

  it('signs the bytes of a body that is no text', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00]);
    expect(Buffer.from(signedBytes(incomingWebhook({ url: 'u', body: bytes })))).to.deep.equal(
      Buffer.concat([Buffer.from('POSTu'), bytes]),
    );
  });

  it('returns an event for each item of a batch, each for its own account', () => {
    const batch = [
      { eventId: 1, portalId: 1, subscriptionType: 'contact.creation' },
      { eventId: 2, portalId: 2, subscriptionType: 'deal.deletion' },
      { eventId: 3, subscriptionType: 'deal.deletion' },
    ];
    const key = (value: string) => ({ by: 'connectionConfig', field: 'hub_id', value });
    expect(plugin.webhook.events(incomingJson(batch))).to.deep.equal([
      { type: 'contact.creation', connections: [key('1')], payload: batch[0] },
      { type: 'deal.deletion', connections: [key('2')], payload: batch[1] },
      { type: 'deal.deletion', connections: [], payload: batch[2] },
    ]);
    expect(plugin.webhook.events(incomingJson([]))).to.deep.equal([]);
  });

  it('gives another attempt at the same batch the same delivery ID', () => {
    const id = (...attempts: number[]) =>
      plugin.webhook.deliveryId(incomingJson(attempts.map((attemptNumber, eventId) => ({ eventId, attemptNumber }))));
    expect(id(0, 0)).to.equal(id(1, 3));
    expect(id(0, 0)).to.not.equal(id(0));
  });

  it('names no connection for what it does not understand', () => {
    for (const payload of STRANGE_PAYLOADS) {
      expect(plugin.webhook.events(incomingJson(payload)).flatMap(({ connections }) => connections)).to.deep.equal([]);
    }
  });
});
