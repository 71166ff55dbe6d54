import { expect } from 'chai';
import { BODY, digest, EVENTS, expectForwarded, expectRefused, prepare, seconds } from '../../support/deviating-webhooks.ts';
import type { Deviation } from '../../support/deviation.ts';
import { matchAll } from '../../support/hooked.ts';

const rows: readonly Deviation[] = [
  {
    name: 'webhook-hmac',
    members: {
      webhook: { signature: { scheme: 'hmac', header: 'X-Signature', encoding: 'hex', prefix: 'sha256=' }, events: EVENTS },
    },
    works: async (scene) => {
      const connectionId = await prepare(scene);
      const headers = { 'x-signature': `sha256=${digest(scene.webhookSecret, BODY)}` };
      await expectForwarded(scene, { headers, body: BODY }, connectionId);
    },
    hostile: {
      title: 'refuses a body that was not signed, a bare digest and a missing digest',
      attack: async (scene) => {
        const right = digest(scene.webhookSecret, BODY);
        await expectRefused(
          scene,
          { headers: { 'x-signature': `sha256=${right}` }, body: BODY.replace('a-1', 'a-2') },
          { headers: { 'x-signature': right }, body: BODY },
          { headers: { 'x-signature': `sha256=${digest('', BODY)}` }, body: BODY },
          { body: BODY },
        );
      },
    },
  },
  {
    name: 'webhook-signed-parts',
    members: {
      webhook: {
        signature: {
          scheme: 'hmac',
          header: 'x-signature',
          encoding: 'base64',
          signed: 'v0:${timestamp}:${query.shop}:${body}',
          timestamp: 'headers.x-time',
          tolerance_seconds: 300,
        },
        events: EVENTS,
      },
    },
    works: async (scene) => {
      const connectionId = await prepare(scene);
      const time = seconds(scene);
      const signature = digest(scene.webhookSecret, `v0:${time}:s 1:${BODY}`, 'base64');
      const headers = { 'x-time': time, 'x-signature': signature };
      await expectForwarded(scene, { headers, body: BODY, query: '?shop=s%201' }, connectionId);
    },
    hostile: {
      title: 'refuses a delivery that is too old, and one with another time or query than was signed',
      attack: async (scene) => {
        const signed = (time: string) => digest(scene.webhookSecret, `v0:${time}:s:${BODY}`, 'base64');
        const [now, old] = [seconds(scene), seconds(scene, 400)];
        const query = '?shop=s';
        await expectRefused(
          scene,
          { headers: { 'x-time': old, 'x-signature': signed(old) }, body: BODY, query },
          { headers: { 'x-time': now, 'x-signature': signed(old) }, body: BODY, query },
          { headers: { 'x-time': now, 'x-signature': signed(now) }, body: BODY, query: '?shop=t' },
          { headers: { 'x-time': 'now', 'x-signature': signed('now') }, body: BODY, query },
        );
      },
    },
  },
  {
    name: 'webhook-unsigned-time',
    members: {
      webhook: {
        signature: {
          scheme: 'hmac',
          header: 'x-signature',
          encoding: 'hex',
          timestamp: 'body.sent_at',
          tolerance_seconds: 60,
        },
        events: EVENTS,
      },
    },
    works: async (scene) => {
      const connectionId = await prepare(scene);
      const body = JSON.stringify({ account: 'a-1', sent_at: scene.app.clock.now().toISOString() });
      await expectForwarded(scene, { headers: { 'x-signature': digest(scene.webhookSecret, body) }, body }, connectionId);
    },
    hostile: {
      title: 'must not take its time from an unsigned header',
      members: {
        webhook: {
          signature: {
            scheme: 'hmac',
            header: 'x-signature',
            encoding: 'hex',
            timestamp: 'headers.x-time',
            tolerance_seconds: 60,
          },
        },
      },
      refusedFor: /webhook\.signature\.timestamp: is not covered by the signature/,
    },
  },
  {
    name: 'webhook-timed',
    members: {
      webhook: {
        signature: { scheme: 'timed_hmac', header: 'x-signature', encoding: 'hex', tolerance_seconds: 300 },
        events: EVENTS,
        delivery_id: 'body',
      },
    },
    works: async (scene) => {
      const connectionId = await prepare(scene);
      const time = seconds(scene);
      const v1 = digest(scene.webhookSecret, `${time}.${BODY}`);
      await expectForwarded(scene, { headers: { 'x-signature': `t=${time},v1=${v1},v0=x` }, body: BODY }, connectionId);
    },
    hostile: {
      title: 'refuses a digest of another version, and handles a body once however often it is signed',
      attack: async (scene) => {
        const [time, later] = [seconds(scene), seconds(scene, -1)];
        const v1 = (at: string) => digest(scene.webhookSecret, `${at}.${BODY}`);
        await expectRefused(scene, { headers: { 'x-signature': `t=${time},v0=${v1(time)}` }, body: BODY });
        const before = (await matchAll(scene.app)).length;
        await scene.deliver({ headers: { 'x-signature': `t=${later},v1=${v1(later)}` }, body: BODY });
        expect(await matchAll(scene.app)).to.have.length(before);
      },
    },
  },
  {
    name: 'webhook-standard',
    members: { webhook: { signature: { scheme: 'standard_webhooks' }, events: EVENTS } },
    works: async (scene) => {
      const connectionId = await prepare(scene);
      const time = seconds(scene);
      const key = Buffer.from(scene.webhookSecret, 'base64');
      for (const names of ['webhook', 'svix']) {
        const signature = `v1,AAAA v1,${digest(key, `msg_${names}.${time}.${BODY}`, 'base64')}`;
        const headers = {
          [`${names}-id`]: `msg_${names}`,
          [`${names}-timestamp`]: time,
          [`${names}-signature`]: signature,
        };
        await expectForwarded(scene, { headers, body: BODY }, connectionId);
      }
    },
    hostile: {
      title: 'refuses an ID that was not signed',
      attack: async (scene) => {
        const time = seconds(scene);
        const key = Buffer.from(scene.webhookSecret, 'base64');
        const signature = `v1,${digest(key, `msg_1.${time}.${BODY}`, 'base64')}`;
        const refused = (headers: Readonly<Record<string, string>>) => expectRefused(scene, { headers, body: BODY });
        await refused({ 'webhook-id': 'msg_2', 'webhook-timestamp': time, 'webhook-signature': signature });
        await refused({ 'svix-id': 'msg_2', 'svix-timestamp': time, 'svix-signature': signature });
        // A signature under one set of header names does not cover headers with the names of the other set.
        await refused({ 'webhook-id': 'msg_1', 'svix-timestamp': time, 'svix-signature': signature });
      },
    },
  },
  {
    name: 'webhook-form',
    members: {
      webhook: {
        signature: { scheme: 'hmac', header: 'x-signature', encoding: 'hex' },
        payload: { form_field: 'payload' },
        events: EVENTS,
      },
    },
    works: async (scene) => {
      const connectionId = await prepare(scene);
      for (const [body, type] of [
        [new URLSearchParams({ payload: BODY, other: '1' }).toString(), 'application/x-www-form-urlencoded'],
        [BODY, 'application/json'],
      ] as const) {
        const headers = { 'content-type': type, 'x-signature': digest(scene.webhookSecret, body) };
        await expectForwarded(scene, { headers, body }, connectionId);
        expect((await matchAll(scene.app)).at(-1)?.body.payload).to.deep.equal(JSON.parse(BODY));
      }
    },
    hostile: {
      title: 'is verified over its bytes, and forwarded unchanged if it is not JSON',
      attack: async (scene) => {
        const type = { 'content-type': 'application/x-www-form-urlencoded' };
        const body = new URLSearchParams({ payload: BODY }).toString();
        await expectRefused(scene, { headers: { ...type, 'x-signature': digest(scene.webhookSecret, BODY) }, body });
        for (const raw of ['payload=%7Bno', 'payloads=%7B%7D', 'payload']) {
          const headers = { ...type, 'x-signature': digest(scene.webhookSecret, raw) };
          expect((await scene.deliver({ headers, body: raw })).status).to.equal(200);
          expect((await matchAll(scene.app)).at(-1)?.body)
            .to.deep.include({ payload: { raw } })
            .and.not.have.property('connectionId');
        }
        const deep = new URLSearchParams({ payload: '['.repeat(300) }).toString();
        const { status } = await scene.deliver({
          headers: { ...type, 'x-signature': digest(scene.webhookSecret, deep) },
          body: deep,
        });
        expect(status).to.equal(400);
      },
    },
  },
  {
    name: 'webhook-token',
    members: {
      webhook: {
        signature: { scheme: 'token', header: 'x-token' },
        events: { list: 'body.events', type: 'event.kind', connection: [{ by: 'connection_id', path: 'event.ref' }] },
        forward_headers: ['x-token', 'x-topic'],
      },
    },
    works: async (scene) => {
      const connectionId = await prepare(scene);
      const body = JSON.stringify({ events: [{ kind: 'made', ref: connectionId }] });
      await expectForwarded(scene, { headers: { 'x-token': scene.webhookSecret }, body }, connectionId);
    },
    hostile: {
      title: 'never forwards the token, and finds no connection for malformed entries',
      attack: async (scene) => {
        await expectRefused(scene, { headers: { 'x-token': 'guess' }, body: '{}' });
        const before = (await matchAll(scene.app)).length;
        const body = JSON.stringify({ events: [null, { ref: {} }, [['__proto__']]] });
        await scene.deliver({ headers: { 'x-token': scene.webhookSecret, 'x-topic': 't' }, body });
        const sent = (await matchAll(scene.app)).slice(before);
        expect(sent).to.have.length(3);
        for (const { headers, body: forward } of sent) {
          expect(forward).to.not.have.property('connectionId');
          expect(JSON.stringify(headers)).to.not.include(scene.webhookSecret);
        }
      },
    },
  },
  {
    name: 'webhook-secret-of-connection',
    members: {
      webhook: {
        signature: { scheme: 'hmac', header: 'x-signature', encoding: 'hex', secret: 'connection_config.hook_secret' },
        events: EVENTS,
      },
    },
    works: async (scene) => {
      const connectionId = await prepare(scene, { hook_secret: 'the-hook-secret' });
      await expectForwarded(scene, { headers: { 'x-signature': digest('the-hook-secret', BODY) }, body: BODY }, connectionId);
    },
    hostile: {
      title: 'refuses the secret of the integration, and a delivery that names no connection',
      attack: async (scene) => {
        const nobody = '{"account":"a-9"}';
        await expectRefused(
          scene,
          { headers: { 'x-signature': digest(scene.webhookSecret, BODY) }, body: BODY },
          { headers: { 'x-signature': digest('the-hook-secret', nobody) }, body: nobody },
        );
      },
    },
  },
];

export default rows;
