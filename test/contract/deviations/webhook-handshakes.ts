import { expect } from 'chai';
import { expectRefused, prepare } from '../../support/deviating-webhooks.ts';
import type { Deviation } from '../../support/deviation.ts';

const rows: readonly Deviation[] = [
  {
    name: 'webhook-handshake',
    members: {
      webhook: {
        signature: { scheme: 'hmac', header: 'x-signature', encoding: 'hex' },
        handshake: { echo: 'query.hub.challenge', when: { path: 'query.hub.mode', equals: 'subscribe' } },
      },
    },
    works: async (scene) => {
      await prepare(scene);
      const { status, text } = await scene.deliver({ body: '{}', query: '?hub.mode=subscribe&hub.challenge=c-1' });
      expect([status, text]).to.deep.equal([200, 'c-1']);
    },
    hostile: {
      title: 'repeats no long text and no page, and needs the word for it',
      attack: async (scene) => {
        await expectRefused(scene, { body: '{}', query: '?hub.challenge=c-1' });
        await expectRefused(scene, { body: '{}', query: `?hub.mode=subscribe&hub.challenge=${'a'.repeat(2_000)}` });
        const page = await scene.deliver({ body: '{}', query: '?hub.mode=subscribe&hub.challenge=<script>' });
        expect(page.headers.get('content-type')).to.match(/^text\/plain/);
        expect(page.headers.get('x-content-type-options')).to.equal('nosniff');
      },
    },
  },
  {
    name: 'webhook-handshake-json',
    members: {
      webhook: {
        signature: { scheme: 'hmac', header: 'x-signature', encoding: 'hex' },
        handshake: { echo: 'body.challenge', json: 'challenge' },
      },
    },
    works: async (scene) => {
      await prepare(scene);
      const { text } = await scene.deliver({ body: '{"challenge":"c-1"}' });
      expect(text).to.equal('{"challenge":"c-1"}');
    },
    hostile: {
      title: 'is no part of a definition that says nothing of signatures',
      members: { webhook: { handshake: { echo: 'body.challenge' } } },
      refusedFor: /webhook\.handshake: belongs to a signature/,
    },
  },
  {
    name: 'webhook-handshake-header',
    members: {
      webhook: {
        signature: { scheme: 'hmac', header: 'x-signature', encoding: 'hex' },
        handshake: { echo: 'headers.x-hook-secret', header: 'X-Hook-Secret' },
      },
    },
    works: async (scene) => {
      await prepare(scene);
      const { status, headers } = await scene.deliver({ headers: { 'x-hook-secret': 'h-1' }, body: '' });
      expect([status, headers.get('x-hook-secret')]).to.deep.equal([200, 'h-1']);
    },
    hostile: {
      title: 'may not sign something without the body',
      members: { webhook: { signature: { scheme: 'hmac', header: 'x', encoding: 'hex', signed: '${method}${url}' } } },
      refusedFor: /signed: must hold \$\{body\}/,
    },
  },
];

export default rows;
