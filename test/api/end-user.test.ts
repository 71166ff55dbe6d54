import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { readConnection } from '../support/connect.ts';
import type { ClientResponse } from '../support/http-client.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { use } from '../support/use.ts';

/** Returns this many tags. */
function someTags(count: number, value = 'v'): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]));
}

const EMPTY = { email: null, display_name: null, tags: {}, organization: null };

describe('the end user of a connection', function () {
  const app = use(this, startApp);

  before(async () => {
    await storeIntegration(app.api, 'one');
    await storeConnection(app, { key: 'one', connectionId: 'it' });
  });

  const imported = (end_user: unknown, more: object = {}): Promise<ClientResponse> => {
    const credentials = { type: 'OAUTH2', access_token: canary('imported access token') };
    return app.api.post('/connections', { provider_config_key: 'one', credentials, end_user, ...more });
  };
  const patched = (end_user: unknown, more: object = {}): Promise<ClientResponse> =>
    app.api.patch('/connections/it?provider_config_key=one', { end_user, ...more });
  const read = async () => (await readConnection(app, { connectionId: 'it', key: 'one' })).body;

  const METHODS = { 'an import': imported, 'a patch': patched };

  const taken: Readonly<Record<string, { input: object; shown: object; tags: object }>> = {
    'an ID alone': { input: { id: 'u1' }, shown: { id: 'u1', ...EMPTY }, tags: { end_user_id: 'u1' } },
    everything: {
      input: { id: 'u1', email: 'ada@example.com', display_name: 'Ada L.', tags: { Plan: 'Team', empty: '' } },
      shown: {
        id: 'u1',
        email: 'ada@example.com',
        display_name: 'Ada L.',
        tags: { Plan: 'Team', empty: '' },
        organization: null,
      },
      tags: { end_user_id: 'u1', end_user_email: 'ada@example.com', end_user_display_name: 'Ada L.' },
    },
    'an empty name': {
      input: { id: 'u1', display_name: '' },
      shown: { id: 'u1', ...EMPTY, display_name: '' },
      tags: { end_user_id: 'u1' },
    },
    'the longest ID and name': {
      input: { id: 'i'.repeat(255), display_name: 'n'.repeat(255) },
      shown: { ...EMPTY, id: 'i'.repeat(255), display_name: 'n'.repeat(255) },
      tags: { end_user_id: 'i'.repeat(255), end_user_display_name: 'n'.repeat(255) },
    },
    '64 tags of 64 characters': {
      input: { id: 'u1', tags: someTags(64, 'v'.repeat(64)) },
      shown: { id: 'u1', ...EMPTY, tags: someTags(64, 'v'.repeat(64)) },
      tags: { end_user_id: 'u1' },
    },
  };

  const refused: Readonly<Record<string, { input: unknown; path: readonly string[] }>> = {
    'no ID': { input: {}, path: ['end_user', 'id'] },
    'an empty ID': { input: { id: '' }, path: ['end_user', 'id'] },
    'an ID of 256 characters': { input: { id: 'i'.repeat(256) }, path: ['end_user', 'id'] },
    'an ID that is a number': { input: { id: 7 }, path: ['end_user', 'id'] },
    'an e-mail address that is none': { input: { id: 'u', email: 'nobody' }, path: ['end_user', 'email'] },
    'an e-mail address of 256 characters': {
      input: { id: 'u', email: `a@${'b'.repeat(250)}.com` },
      path: ['end_user', 'email'],
    },
    'an e-mail address that is null': { input: { id: 'u', email: null }, path: ['end_user', 'email'] },
    'a name of 256 characters': { input: { id: 'u', display_name: 'n'.repeat(256) }, path: ['end_user', 'display_name'] },
    'a name that is a list': { input: { id: 'u', display_name: ['n'] }, path: ['end_user', 'display_name'] },
    '65 tags': { input: { id: 'u', tags: someTags(65) }, path: ['end_user', 'tags'] },
    'a tag of 65 characters': { input: { id: 'u', tags: { a: 'v'.repeat(65) } }, path: ['end_user', 'tags', 'a'] },
    'a tag that is a number': { input: { id: 'u', tags: { a: 7 } }, path: ['end_user', 'tags', 'a'] },
    'tags that are a list': { input: { id: 'u', tags: ['a'] }, path: ['end_user', 'tags'] },
    'an organization': { input: { id: 'u', organization: { id: 'o' } }, path: ['end_user', 'organization'] },
    'another member': { input: { id: 'u', surplus: 1 }, path: ['end_user', 'surplus'] },
    null: { input: null, path: ['end_user'] },
    'a text': { input: 'u', path: ['end_user'] },
  };

  for (const [method, send] of Object.entries(METHODS)) {
    describe(`set by ${method}`, () => {
      for (const [what, { input, shown, tags }] of Object.entries(taken)) {
        it(`is shown in full for ${what}, and becomes tags of the connection`, async () => {
          const response = await send(input, { tags: {} });
          expect(response.status, response.text).to.equal(200);
          const record = response.body.success ? await read() : response.body;
          expect(record.end_user).to.deep.equal(shown);
          expect(record.tags).to.deep.equal(tags);
          const { body } = await app.api.get(`/connections?connectionId=${record.connection_id}`);
          expect(body.connections[0].end_user).to.deep.equal(shown);
        });
      }

      for (const [what, { input, path }] of Object.entries(refused)) {
        it(`is refused with ${what}`, async () => {
          expectError(await send(input), 'invalid_body', path);
        });
      }

      it('does not override tags in the same request', async () => {
        const tags = { End_User_Id: 'mine', end_user_email: 'grace@example.com' };
        const response = await send({ id: 'u1', email: 'ada@example.com', display_name: 'Ada' }, { tags });
        const record = response.body.success ? await read() : response.body;
        expect(record.tags).to.deep.equal({
          end_user_id: 'mine',
          end_user_email: 'grace@example.com',
          end_user_display_name: 'Ada',
        });
        expect(record.end_user.email).to.equal('ada@example.com');
      });

      it('makes up to ten tags together with others', async () => {
        const response = await send({ id: 'u1' }, { tags: someTags(9) });
        expect(response.status).to.equal(200);
        expectError(await send({ id: 'u1' }, { tags: someTags(10) }), 'invalid_body', ['tags']);
        expect((await send({ id: 'u1' }, { tags: { ...someTags(9), end_user_id: 'mine' } })).status).to.equal(200);
      });
    });
  }

  it('replaces the tags of the previous end user, while other tags stay', async () => {
    await patched({ id: 'u1', email: 'ada@example.com', display_name: 'Ada' }, { tags: { org: 'acme' } });
    await patched({ id: 'u2', display_name: 'Grace' });
    expect((await read()).tags).to.deep.equal({ org: 'acme', end_user_id: 'u2', end_user_display_name: 'Grace' });
  });

  it('stays when a request sets only tags, which replace all tags', async () => {
    await patched({ id: 'u1', email: 'ada@example.com' }, { tags: { org: 'acme' } });
    await app.api.patch('/connections/it?provider_config_key=one', { tags: { plan: 'team' } });
    const { tags, end_user } = await read();
    expect(tags).to.deep.equal({ plan: 'team' });
    expect(end_user).to.include({ id: 'u1', email: 'ada@example.com' });
  });

  it('is shown with its organization', async () => {
    const end_user = { ...EMPTY, id: 'u1', organization: { id: 'o1', display_name: null } };
    await app.database.db('connections').where({ connection_id: 'it' }).update({ end_user });
    expect((await read()).end_user).to.deep.equal(end_user);
  });
});
