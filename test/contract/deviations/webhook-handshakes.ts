import { expect } from 'chai';
import { prepare } from '../../support/deviating-webhooks.ts';
import type { Deviation } from '../../support/deviation.ts';

const SIGNATURE = { scheme: 'hmac', header: 'x-signature', encoding: 'hex' };

const rows: readonly Deviation[] = [
  {
    name: 'webhook-handshake',
    members: {
      webhook: {
        signature: SIGNATURE,
        handshake: [
          {
            method: 'POST',
            when: [
              { path: 'query.hub.mode', equals: 'subscribe' },
              { path: 'query.hub.token', equals: '${webhookSecret}' },
            ],
            echo: 'query.hub.challenge',
            as: 'text',
          },
        ],
      },
    },
    works: async (scene) => {
      await prepare(scene);
      const query = `?hub.mode=subscribe&hub.token=${encodeURIComponent(scene.webhookSecret)}&hub.challenge=c-1`;
      const { status, text } = await scene.deliver({ body: '{}', query });
      expect([status, text]).to.deep.equal([200, 'c-1']);
    },
    hostile: {
      title: 'echoes only short plain text, and requires the expected parameters',
      attack: async (scene) => {
        const token = `hub.token=${encodeURIComponent(scene.webhookSecret)}`;
        for (const query of [
          '?hub.challenge=c-1',
          '?hub.mode=subscribe&hub.challenge=c-1',
          '?hub.mode=subscribe&hub.token=guess&hub.challenge=c-1',
          `?hub.mode=subscribe&${token}&hub.challenge=${'a'.repeat(2_000)}`,
        ])
          expect((await scene.deliver({ body: '{}', query })).status).to.equal(401);
        const page = await scene.deliver({ body: '{}', query: `?hub.mode=subscribe&${token}&hub.challenge=<script>` });
        expect(page.headers.get('content-type')).to.match(/^text\/plain/);
        expect(page.headers.get('x-content-type-options')).to.equal('nosniff');
      },
    },
  },
  {
    name: 'webhook-handshake-json',
    members: { webhook: { handshake: [{ method: 'POST', echo: 'body.challenge', as: { json: 'challenge' } }] } },
    works: async (scene) => {
      await prepare(scene);
      const { text } = await scene.deliver({ body: '{"challenge":"c-1"}' });
      expect(text).to.equal('{"challenge":"c-1"}');
    },
    hostile: {
      title: 'cannot read a body from a GET',
      members: { webhook: { handshake: [{ method: 'GET', echo: 'body.challenge', as: 'text' }] } },
      refusedFor: /a GET has no body/,
    },
  },
  {
    name: 'webhook-handshake-header',
    members: {
      webhook: {
        signature: SIGNATURE,
        handshake: [{ method: 'POST', echo: 'headers.x-hook-challenge', as: { header: 'X-Hook-Challenge' }, status: 204 }],
      },
    },
    works: async (scene) => {
      await prepare(scene);
      const { status, headers } = await scene.deliver({ headers: { 'x-hook-challenge': 'h-1' }, body: '' });
      expect([status, headers.get('x-hook-challenge')]).to.deep.equal([204, 'h-1']);
    },
    hostile: {
      title: 'must not store a secret that no signature uses',
      members: {
        webhook: {
          signature: SIGNATURE,
          handshake: [{ method: 'POST', echo: 'headers.x', as: { header: 'X' }, keep_secret: true }],
        },
      },
      refusedFor: /`keep_secret` requires the secret `handshake`, and vice versa/,
    },
  },
];

export default rows;
