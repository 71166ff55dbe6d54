import { expect } from 'chai';
import { declaredWebhook, strangeConnections } from '../../test/support/declared-webhook.ts';
import { incomingJson } from '../../test/support/incoming-webhook.ts';

const rules = await declaredWebhook('linear');

describe('webhooks of linear', () => {
  it('reads the time of sending from the body', () => {
    const [rule] = rules.signature;
    if (rule.scheme !== 'hmac') throw new Error('the digest is an HMAC');
    const sentAt = rule.timestamp?.read;
    expect(sentAt?.(incomingJson({ webhookTimestamp: 1_767_323_045_678 }))).to.deep.equal(new Date(1_767_323_045_678));
    for (const webhookTimestamp of [null, 1.5, -1, 'now', {}, 9_007_199_254_740_991]) {
      expect(sentAt?.(incomingJson({ webhookTimestamp }))).to.equal(undefined);
    }
  });

  it('names no connection for what it does not understand', () => {
    expect(strangeConnections(rules)).to.deep.equal([]);
  });
});
