import { expect } from 'chai';
import { declaredWebhook, strangeConnections } from '../../test/support/declared-webhook.ts';
import { incomingJson } from '../../test/support/incoming-webhook.ts';
import { hookContext } from '../../test/support/plugin-hook.ts';
import plugin from './plugin.ts';

const rules = await declaredWebhook('linear');

describe('plugin linear', () => {
  describe('after authorization', () => {
    it('asks which workspace the token is for', async () => {
      const { context, calls } = hookContext({ response: () => Response.json({ data: { organization: { id: 'o-1' } } }) });
      expect(await plugin.connection.afterAuthorization(context)).to.deep.equal({ organization_id: 'o-1' });
      expect(calls.map(({ method, url }) => [method, url])).to.deep.equal([['POST', 'https://api.linear.app/graphql']]);
      expect(calls[0]?.body).to.equal('{"query":"{ organization { id } }"}');
    });

    it('goes without when Linear does not say', async () => {
      const refused = { data: null, errors: [{ message: 'no' }] };
      for (const response of [
        () => Response.json({}, { status: 401 }),
        () => Response.json(refused),
        () => new Response('<html>'),
      ]) {
        expect(await plugin.connection.afterAuthorization(hookContext({ response }).context)).to.deep.equal({});
      }
    });
  });

  describe('webhooks', () => {
    it('reads the time of sending out of the body', () => {
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
});
