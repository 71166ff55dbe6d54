import { expect } from 'chai';
import { readConnection } from '../support/connect.ts';
import type { Client, ClientResponse } from '../support/http-client.ts';
import { size } from '../support/size.ts';
import { expectError } from '../support/std-error.ts';
import { clientWith, storeConnection, storeIntegration } from '../support/stored.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

const KB = 1024;
const MAX_IDS = 1000;
const AT_ONCE = size(20, 100);
const ANY_JSON = { text: 'x', number: 1.5, big: 1e21, none: null, list: [1, [true], {}], nested: { a: { b: 'ü 🦊' } }, '': '' };

/** Returns metadata whose JSON is this many bytes long. */
function ofBytes(bytes: number, name = 'x'): object {
  return { [name]: 'x'.repeat(bytes - JSON.stringify({ [name]: '' }).length) };
}

describe('the metadata of connections', function () {
  const app = use(this, startTenant);

  before(async () => {
    for (const key of ['one', 'two']) await storeIntegration(app.api, key);
    for (const connectionId of ['a', 'b', 'c']) await storeConnection(app, { key: 'one', connectionId });
    await storeConnection(app, { key: 'two', connectionId: 'a' });
  });

  type Method = 'POST' | 'PATCH';
  const send = (method: Method, body: object, api: Client = app.api): Promise<ClientResponse> =>
    api.call(method, '/connections/metadata', {
      body: { connection_id: 'a', provider_config_key: 'one', metadata: {}, ...body },
    });
  const read = async (connectionId: string, key = 'one') => (await readConnection(app, { connectionId, key })).body.metadata;

  it('is set in place of what was there, by POST', async () => {
    await send('POST', { metadata: { old: 1, both: 1 } });
    await send('POST', { metadata: { both: 2 } });
    expect(await read('a')).to.deep.equal({ both: 2 });
    await send('POST', { metadata: {} });
    expect(await read('a')).to.deep.equal({});
  });

  it('is merged at the top level, by PATCH', async () => {
    await send('POST', { metadata: { kept: 1, both: { deep: 1 }, gone: 1 } });
    await send('PATCH', { metadata: { both: { other: 2 }, gone: null, more: [1] } });
    expect(await read('a')).to.deep.equal({ kept: 1, both: { other: 2 }, gone: null, more: [1] });
  });

  for (const method of ['POST', 'PATCH'] as const) {
    describe(`sent by ${method}`, () => {
      beforeEach(async () => {
        for (const connection_id of ['a', 'b', 'c']) await send('POST', { connection_id, metadata: { before: true } });
      });

      const untouched = async () => {
        for (const connectionId of ['a', 'b', 'c']) expect(await read(connectionId)).to.deep.equal({ before: true });
      };

      it('returns what was sent', async () => {
        const sent = { connection_id: 'a', provider_config_key: 'one', metadata: ANY_JSON };
        const { status, body } = await send(method, sent);
        expect(status).to.equal(200);
        expect(body).to.deep.equal(sent);
        expect(await read('a')).to.deep.include(ANY_JSON);
      });

      it('is set for several connections at once', async () => {
        const sent = { connection_id: ['a', 'c', 'a'], provider_config_key: 'one', metadata: { n: 1 } };
        expect((await send(method, sent)).body).to.deep.equal(sent);
        for (const id of ['a', 'c']) expect(await read(id)).to.include({ n: 1 });
        expect(await read('b')).to.deep.equal({ before: true });
        expect(await read('a', 'two')).to.deep.equal({});
      });

      for (const unknown of [['nobody'], ['a', 'nobody', 'c'], ['a', 'A']]) {
        it(`changes nothing at all when there is no ${JSON.stringify(unknown)}`, async () => {
          expectError(await send(method, { connection_id: unknown, metadata: { n: 1 } }), 'unknown_connection');
          await untouched();
        });
      }

      it('changes nothing when there is no such integration', async () => {
        expectError(await send(method, { provider_config_key: 'nobody' }), 'unknown_provider_config');
        expectError(await send(method, { connection_id: ['a', 'b'], provider_config_key: 'two' }), 'unknown_connection');
        await untouched();
      });

      it('takes 64 KB and no byte more', async () => {
        const { status, text } = await send(method, {
          metadata: ofBytes(64 * KB - (method === 'PATCH' ? '"before":true,'.length : 0)),
        });
        expect(status, text).to.equal(200);
        expectError(await send(method, { connection_id: 'b', metadata: ofBytes(64 * KB + 1) }), 'invalid_body', ['metadata']);
        expect(await read('b')).to.deep.equal({ before: true });
      });

      it('takes a thousand IDs and no more', async () => {
        const ids = Array.from({ length: MAX_IDS }, () => 'a');
        expect((await send(method, { connection_id: ids })).status).to.equal(200);
        expectError(await send(method, { connection_id: [...ids, 'a'] }), 'invalid_body', ['connection_id']);
      });

      for (const connection_id of ['', 'x'.repeat(256), 'a\n', null, 7, {}, [], [''], ['a', 7], [['a']], ['x'.repeat(256)]]) {
        it(`refuses the ID ${JSON.stringify(connection_id).slice(0, 20)}`, async () => {
          const response = await send(method, { connection_id });
          expectError(response, 'invalid_body');
          expect(response.body.error.errors[0].path[0]).to.equal('connection_id');
          await untouched();
        });
      }

      for (const metadata of [null, 'text', 7, true, [], ['x']]) {
        it(`refuses ${JSON.stringify(metadata)}`, async () => {
          expectError(await send(method, { metadata }), 'invalid_body', ['metadata']);
          await untouched();
        });
      }

      for (const member of ['connection_id', 'provider_config_key', 'metadata']) {
        it(`needs ${member}`, async () => {
          const response = await send(method, { [member]: undefined });
          expectError(response, 'invalid_body');
          expect(response.body.error.errors[0].path).to.deep.equal([member]);
        });
      }

      it('refuses any other member, and a query', async () => {
        expectError(await send(method, { surplus: 1 }), 'invalid_body', ['surplus']);
        const body = { connection_id: 'a', provider_config_key: 'one', metadata: {} };
        expectError(await app.api.call(method, '/connections/metadata?x=1', { body }), 'invalid_query_params');
      });

      for (const name of ['__proto__', 'constructor', 'prototype']) {
        it(`refuses a member ${name} at any depth`, async () => {
          const text = `{"connection_id":"a","provider_config_key":"one","metadata":{"a":[{"b":{"${name}":1}}]}}`;
          const headers = { 'content-type': 'application/json' };
          expectError(await app.api.call(method, '/connections/metadata', { body: text, headers }), 'invalid_body');
          await untouched();
        });
      }

      it('needs its scope', async () => {
        const api = await clientWith(app, 'environment:connections:create', 'environment:connections:read');
        expectError(await send(method, {}, api), 'forbidden');
      });
    });
  }

  it('is not merged beyond 64 KB, and then for none of several connections', async () => {
    await send('POST', { connection_id: 'a', metadata: ofBytes(40 * KB) });
    await send('POST', { connection_id: 'b', metadata: {} });
    const response = await send('PATCH', { connection_id: ['b', 'a'], metadata: ofBytes(30 * KB, 'y') });
    expectError(response, 'invalid_body', ['metadata']);
    expect(await read('b')).to.deep.equal({});
    expect((await send('PATCH', { connection_id: ['b', 'a'], metadata: ofBytes(30 * KB) })).status).to.equal(200);
  });

  it('is merged by many at once without losing a member', async () => {
    await send('POST', { connection_id: ['a', 'b'], metadata: {} });
    const responses = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) =>
        send('PATCH', { connection_id: n % 2 === 0 ? ['a', 'b'] : ['b', 'a'], metadata: { [`n${n}`]: n } }),
      ),
    );
    for (const { status, text } of responses) expect(status, text).to.equal(200);
    for (const id of ['a', 'b']) expect(Object.keys(await read(id))).to.have.length(AT_ONCE);
  });
});
