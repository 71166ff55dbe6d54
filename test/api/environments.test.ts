import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { rememberSecret } from '../support/canaries.ts';
import { runCommand } from '../support/command-line.ts';
import { expectError } from '../support/std-error.ts';
import { storeAccount } from '../support/stored.ts';
import { use } from '../support/use.ts';

const CALLBACK = 'https://app.example.com/callback';
const LONG_PATH = 'a'.repeat(2048 - 'https://app.example.com/'.length);

const ACCEPTED: Readonly<Record<string, object>> = {
  'a name alone': { name: 'alone' },
  'every kind of character in a name': { name: 'a-z_0-9' },
  'a name of one character': { name: 'x' },
  'a name of 255 characters': { name: 'n'.repeat(255) },
  'a callback URL': { name: 'called', callback_url: CALLBACK },
  'a callback URL with a query': { name: 'query', callback_url: `${CALLBACK}?from=svc` },
  'a plain http callback URL': { name: 'plain', callback_url: 'http://localhost:8080/callback' },
  'a callback URL of 2048 characters': { name: 'long-url', callback_url: `https://app.example.com/${LONG_PATH}` },
  'the mark of production': { name: 'production', is_production: true },
  'the mark of no production': { name: 'no-production', is_production: false },
};

const REFUSED: Readonly<Record<string, readonly [unknown, readonly string[]]>> = {
  'no name': [{}, ['name']],
  'an empty name': [{ name: '' }, ['name']],
  'a name of 256 characters': [{ name: 'n'.repeat(256) }, ['name']],
  'an upper-case name': [{ name: 'Prod' }, ['name']],
  'a name with a space': [{ name: 'a b' }, ['name']],
  'a name with a line break at its end': [{ name: 'a\n' }, ['name']],
  'a number as name': [{ name: 1 }, ['name']],
  'a callback URL that is none': [{ name: 'a', callback_url: 'callback' }, ['callback_url']],
  'an empty callback URL': [{ name: 'a', callback_url: '' }, ['callback_url']],
  'no text as callback URL': [{ name: 'a', callback_url: null }, ['callback_url']],
  'another scheme': [{ name: 'a', callback_url: 'javascript:alert(1)' }, ['callback_url']],
  'a callback URL with a user': [{ name: 'a', callback_url: 'https://user@app.example.com/' }, ['callback_url']],
  'a callback URL with a password': [{ name: 'a', callback_url: 'https://:word@app.example.com/' }, ['callback_url']],
  'a callback URL with a fragment': [{ name: 'a', callback_url: `${CALLBACK}#x` }, ['callback_url']],
  'a callback URL with an empty fragment': [{ name: 'a', callback_url: `${CALLBACK}#` }, ['callback_url']],
  'a callback URL with a line break': [{ name: 'a', callback_url: `${CALLBACK}\n` }, ['callback_url']],
  'a callback URL of 2049 characters': [{ name: 'a', callback_url: `https://app.example.com/${LONG_PATH}a` }, ['callback_url']],
  'a production mark that is no boolean': [{ name: 'a', is_production: 'true' }, ['is_production']],
  'another member': [{ name: 'a', uuid: '0d3c9e4e-5f0f-4a52-9d4e-64d0c4f0a7a1' }, ['uuid']],
  'no object': [[], []],
};

describe('environments', function () {
  const app = use(this, startApp);
  const account = () => app.client(app.accountKey);
  const create = async (body: object) => {
    const response = await account().post('/environments', body);
    expect(response.status, response.text).to.equal(200);
    rememberSecret('API key', response.body.data.api_key);
    return response.body.data;
  };
  const listed = async () => (await account().get('/environments')).body.data;

  for (const [what, body] of Object.entries(ACCEPTED)) {
    it(`are created with ${what}`, async () => {
      const { api_key: apiKey, ...made } = await create(body);
      const input = { callback_url: null, is_production: false, ...body };
      expect(made).to.have.all.keys('id', 'uuid', 'name', 'callback_url');
      expect(apiKey).to.match(/^svc_sk_[A-Za-z0-9_-]{43}$/);
      expect((await listed()).at(-1)).to.deep.equal({ ...made, ...input });
      expect((await app.client(apiKey).get('/connections')).body.connections).to.deep.equal([]);
    });
  }

  for (const [what, [body, path]] of Object.entries(REFUSED)) {
    it(`are refused with ${what}`, async () => {
      expectError(await account().post('/environments', body), 'invalid_body', path);
    });
  }

  it('have unique names within the account', async () => {
    expectError(await account().post('/environments', { name: 'dev' }), 'conflict');
    const other = app.client(await storeAccount(app));
    expect((await other.post('/environments', { name: 'taken-elsewhere' })).status).to.equal(200);
    await create({ name: 'taken-elsewhere' });
  });

  it('have a webhook secret and a full-access key from the start', async () => {
    const { id } = await create({ name: 'complete' });
    const { db } = app.database;
    expect(await db('api_keys').where({ environment_id: id }).select('name', 'scopes')).to.deep.equal([
      { name: 'Default - Full access', scopes: ['environment:*'] },
    ]);
    const [row] = await db('environments').where({ id }).select('webhook_secret');
    expect(row.webhook_secret).to.be.instanceOf(Buffer);
  });

  it('are listed oldest first, those of this account alone', async () => {
    const other = app.client(await storeAccount(app));
    const data = await listed();
    expect(data[0]).to.deep.include({ id: 1, name: 'dev', callback_url: null, is_production: false });
    expect(data.map(({ id }: { id: number }) => id)).to.deep.equal(
      data.map(({ id }: { id: number }) => id).toSorted((one: number, two: number) => one - two),
    );
    expect((await other.get('/environments')).body.data.map(({ name }: { name: string }) => name)).to.deep.equal(['dev']);
  });

  it('do not exist once they are deleted, and neither do their keys', async () => {
    const { id, api_key: apiKey } = await create({ name: 'deleted' });
    const key = { environment_id: id, display_name: 'further' };
    const further = rememberSecret('API key', (await account().post('/environment/api-keys', key)).body.data.secret);
    const response = await account().delete(`/environments/${id}`);
    expect([response.status, response.text]).to.deep.equal([204, '']);
    for (const secret of [apiKey, further]) expectError(await app.client(secret).get('/connections'), 'unknown_account');
    expect((await listed()).map((one: { id: number }) => one.id)).not.to.include(id);
    expectError(await account().delete(`/environments/${id}`), 'not_found');
    expectError(await account().post('/environment/api-keys', key), 'not_found');
    await create({ name: 'deleted' });
  });

  it('can be deleted by their account only', async () => {
    const { id } = await create({ name: 'kept' });
    expectError(await app.client(await storeAccount(app)).delete(`/environments/${id}`), 'not_found');
    expectError(await account().delete('/environments/999999999'), 'not_found');
  });

  for (const id of ['0', '-1', '1.0', '01', 'dev', '1e3', '9'.repeat(16)]) {
    it(`are not deleted by an ID like ${id}`, async () => {
      expectError(await account().delete(`/environments/${id}`), 'invalid_uri_params', ['id']);
    });
  }

  it('take no query', async () => {
    expectError(await account().get('/environments?name=dev'), 'invalid_query_params', ['name']);
  });

  describe('variables', () => {
    it('are a bare list', async () => {
      expect((await app.api.get('/environment-variables')).body).to.deep.equal([]);
    });

    it('are sorted by name and shown as they were set, to their own environment', async () => {
      const env = { DATABASE_URL: app.database.url, SVC_ENCRYPTION_KEYS: app.encryptionKeys };
      const values = ['b=2', '_=with=sign', 'a=', `B=${'ü'.repeat(100)}`];
      await runCommand(env, 'env', 'set', ...values.flatMap((value) => ['--variable', value]));
      expect((await app.api.get('/environment-variables')).body).to.deep.equal([
        { name: 'B', value: 'ü'.repeat(100) },
        { name: '_', value: 'with=sign' },
        { name: 'a', value: '' },
        { name: 'b', value: '2' },
      ]);
      const { api_key: elsewhere } = await create({ name: 'without-variables' });
      expect((await app.client(elsewhere).get('/environment-variables')).body).to.deep.equal([]);
    });

    it('take no query', async () => {
      expectError(await app.api.get('/environment-variables?name=a'), 'invalid_query_params', ['name']);
    });
  });
});
