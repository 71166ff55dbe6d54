import { expect } from 'chai';
import { newApiKey } from '../../core/kit/random-id.ts';
import { ENVIRONMENT_SCOPES } from '../../core/tenants/api-keys/scopes.ts';
import { startApp } from '../support/app.ts';
import { rememberSecret } from '../support/canaries.ts';
import type { Client } from '../support/http-client.ts';
import { expectError } from '../support/std-error.ts';
import { storeAccount, storeKey } from '../support/stored.ts';
import { use } from '../support/use.ts';

const NAMED = { environment_id: 1, display_name: 'refused' };

const ACCEPTED: Readonly<Record<string, object>> = {
  'no scopes': { display_name: 'everything' },
  'one scope': { display_name: 'one', scopes: ['environment:proxy'] },
  'every scope there is': { display_name: 'all', scopes: ENVIRONMENT_SCOPES },
  'a name of one character': { display_name: 'x' },
  'a name of 255 characters': { display_name: 'ü'.repeat(255) },
};

const REFUSED: Readonly<Record<string, readonly [unknown, readonly string[]]>> = {
  'no environment': [{ display_name: 'a' }, ['environment_id']],
  'the environment 0': [{ ...NAMED, environment_id: 0 }, ['environment_id']],
  'a negative environment': [{ ...NAMED, environment_id: -1 }, ['environment_id']],
  'half an environment': [{ ...NAMED, environment_id: 1.5 }, ['environment_id']],
  'an environment beyond all numbers': [{ ...NAMED, environment_id: 2 ** 53 }, ['environment_id']],
  'an environment as text': [{ ...NAMED, environment_id: '1' }, ['environment_id']],
  'no name': [{ environment_id: 1 }, ['display_name']],
  'an empty name': [{ ...NAMED, display_name: '' }, ['display_name']],
  'a name of 256 characters': [{ ...NAMED, display_name: 'a'.repeat(256) }, ['display_name']],
  'a number as name': [{ ...NAMED, display_name: 1 }, ['display_name']],
  'an empty list of scopes': [{ ...NAMED, scopes: [] }, ['scopes']],
  'one scope that is no list': [{ ...NAMED, scopes: 'environment:*' }, ['scopes']],
  'an unknown scope': [{ ...NAMED, scopes: ['environment:proxy', 'environment:everything'] }, ['scopes', '1']],
  'a prefix that is no scope': [{ ...NAMED, scopes: ['environment:connect_sessions:*'] }, ['scopes', '0']],
  'a scope of account keys': [{ ...NAMED, scopes: ['account:environments:list'] }, ['scopes', '0']],
  'every scope of account keys': [{ ...NAMED, scopes: ['account:*'] }, ['scopes', '0']],
  'more scopes than there are': [{ ...NAMED, scopes: [...ENVIRONMENT_SCOPES, 'environment:*'] }, ['scopes']],
  'an end in the past': [{ ...NAMED, expires_at: '2020-01-31T12:00:00Z' }, ['expires_at']],
  'an end beyond all calendars': [{ ...NAMED, expires_at: '9999-12-31T23:59:59-00:01' }, ['expires_at']],
  'an end that is no time': [{ ...NAMED, expires_at: 'tomorrow' }, ['expires_at']],
  'an end without its offset': [{ ...NAMED, expires_at: '2030-01-31T12:00:00' }, ['expires_at']],
  'an end that is null': [{ ...NAMED, expires_at: null }, ['expires_at']],
  'a secret of its own': [{ ...NAMED, secret: 'a'.repeat(43) }, ['secret']],
};

const REFUSED_DELETIONS: Readonly<Record<string, readonly [unknown, readonly string[]]>> = {
  'no environment': [{ key_id: 1 }, ['environment_id']],
  'the environment 0': [{ environment_id: 0, key_id: 1 }, ['environment_id']],
  'an environment as text': [{ environment_id: '1', key_id: 1 }, ['environment_id']],
  'no key': [{ environment_id: 1 }, ['key_id']],
  'the key 0': [{ environment_id: 1, key_id: 0 }, ['key_id']],
  'a key as text': [{ environment_id: 1, key_id: '1' }, ['key_id']],
  'another member': [{ environment_id: 1, key_id: 1, display_name: 'a' }, ['display_name']],
};

describe('API keys', function () {
  const app = use(this, startApp);
  let account: Client;
  before(async () => {
    account = app.client(app.accountKey);
  });
  const create = async (body: object) => {
    const response = await account.post('/environment/api-keys', { environment_id: 1, ...body });
    expect(response.status, response.text).to.equal(200);
    rememberSecret('API key', response.body.data.secret);
    return response.body.data;
  };
  const remove = (body: unknown, client = account) => client.call('DELETE', '/environment/api-keys', { body });

  for (const [what, body] of Object.entries(ACCEPTED)) {
    it(`are created with ${what}`, async () => {
      const { id, secret, created_at: createdAt, ...made } = await create(body);
      expect(made).to.deep.equal({ scopes: ['environment:*'], expires_at: null, ...body });
      expect(id).to.be.a('number');
      expect(secret).to.match(/^svc_sk_[A-Za-z0-9_-]{43}$/);
      expect(new Date(createdAt).toISOString()).to.equal(createdAt);
    });
  }

  it('hold a scope once even if it is listed twice', async () => {
    const { scopes } = await create({ display_name: 'twice', scopes: ['environment:proxy', 'environment:proxy'] });
    expect(scopes).to.deep.equal(['environment:proxy']);
  });

  for (const [what, [body, path]] of Object.entries(REFUSED)) {
    it(`are refused with ${what}`, async () => {
      expectError(await account.post('/environment/api-keys', body), 'invalid_body', path);
    });
  }

  it('open what their scopes grant, and nothing else', async () => {
    const { secret } = await create({ display_name: 'lists', scopes: ['environment:connections:list'] });
    const client = app.client(secret);
    expect((await client.get('/connections')).status).to.equal(200);
    expectError(await client.get('/integrations'), 'forbidden');
    expectError(await client.get('/environments'), 'forbidden');
  });

  it('have unique names among the live keys of an environment', async () => {
    const { id } = await create({ display_name: 'named' });
    expectError(await account.post('/environment/api-keys', { environment_id: 1, display_name: 'named' }), 'conflict');
    await remove({ environment_id: 1, key_id: id });
    await create({ display_name: 'named' });
  });

  it('are refused from their revocation on', async () => {
    const { id, secret } = await create({ display_name: 'revoked' });
    const client = app.client(secret);
    expect((await client.get('/connections')).status).to.equal(200);
    expect((await remove({ environment_id: 1, key_id: id })).body).to.deep.equal({ success: true });
    const deadline = performance.now() + 8_000;
    while ((await client.get('/connections')).status === 200 && performance.now() < deadline);
    expectError(await client.get('/connections'), 'unknown_account');
    expectError(await remove({ environment_id: 1, key_id: id }), 'not_found');
  });

  it('are refused from their expiry on, even where they are cached', async () => {
    const expires_at = new Date(app.clock.now().getTime() + 8_000).toISOString();
    const made = await create({ display_name: 'short-lived', expires_at });
    expect(made.expires_at).to.equal(expires_at);
    const client = app.client(made.secret);
    expect((await client.get('/connections')).status).to.equal(200);
    await app.clock.advance(8_000); // less than the ten seconds for which a key is cached
    const refused = await client.get('/connections');
    expectError(refused, 'unknown_account');
    const unknown = await app.client(rememberSecret('no API key', newApiKey())).get('/connections');
    expect(refused.body).to.deep.equal(unknown.body);
  });

  describe('listed', () => {
    const list = async (query = 'environment_id=1', client = account) => client.get(`/environment/api-keys?${query}`);

    it('are those that were not revoked, without their secrets', async () => {
      const expires_at = '2099-01-31T12:00:00.000Z';
      const made = await create({ display_name: 'listed', scopes: ['environment:proxy'], expires_at });
      const gone = await create({ display_name: 'gone' });
      await remove({ environment_id: 1, key_id: gone.id });
      const { status, body, text } = await list();
      expect(status, text).to.equal(200);
      const { id, scopes, created_at } = made;
      const listed = { id, name: 'listed', scopes, created_at, last_used_at: null, expires_at };
      expect(body.data.find((key: { id: number }) => key.id === id)).to.deep.equal(listed);
      expect(body.data.map((key: { id: number }) => key.id)).not.to.contain(gone.id);
      expect(text).not.to.match(/svc_sk_|secret/);
    });

    it('are for the account of the environment alone', async () => {
      expectError(await list('environment_id=1', app.client(await storeAccount(app))), 'not_found');
      expectError(await list('environment_id=999999'), 'not_found');
      expectError(await list('environment_id=1', app.api), 'forbidden');
      for (const query of ['', 'environment_id=', 'environment_id=0', 'environment_id=x', 'environment_id=1&page=1'])
        expectError(await list(query), 'invalid_query_params');
    });
  });

  for (const [what, [body, path]] of Object.entries(REFUSED_DELETIONS)) {
    it(`are not revoked with ${what}`, async () => {
      expectError(await remove(body), 'invalid_body', path);
    });
  }

  it('are not found under other IDs or in other environments', async () => {
    const { id } = await create({ display_name: 'here' });
    const [{ id: accountKeyId }] = await app.database.db('api_keys').whereNull('environment_id').select('id');
    expectError(await remove({ environment_id: 1, key_id: 2 ** 52 }), 'not_found');
    expectError(await remove({ environment_id: 2 ** 52, key_id: id }), 'not_found');
    expectError(await remove({ environment_id: 1, key_id: accountKeyId }), 'not_found');
    expectError(await account.post('/environment/api-keys', { environment_id: 2 ** 52, display_name: 'a' }), 'not_found');
  });

  it('are not for the keys of another account', async () => {
    const { id } = await storeKey(app, ['environment:*']);
    const stranger = app.client(await storeAccount(app));
    expectError(await stranger.post('/environment/api-keys', { environment_id: 1, display_name: 'a' }), 'not_found');
    expectError(await remove({ environment_id: 1, key_id: id }, stranger), 'not_found');
  });
});
