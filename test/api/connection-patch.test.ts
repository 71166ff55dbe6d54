import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { readConnection } from '../support/connect.ts';
import type { Client, ClientResponse } from '../support/http-client.ts';
import { size } from '../support/size.ts';
import { expectError } from '../support/std-error.ts';
import { clientWith, storeConnection, storeIntegration, storeTenant } from '../support/stored.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { use } from '../support/use.ts';

const AT_ONCE = size(10, 50);

describe('patching a connection', function () {
  const app = use(this, startApp);

  before(async () => {
    for (const key of ['one', 'two']) await storeIntegration(app.api, key);
    await storeConnection(app, { key: 'one', connectionId: 'it', tags: { org: 'acme', plan: 'team' } });
  });

  const patch = (
    body: unknown,
    path = '/connections/it?provider_config_key=one',
    api: Client = app.api,
  ): Promise<ClientResponse> => api.patch(path, body);
  const read = async (connectionId = 'it', key = 'one') => (await readConnection(app, { connectionId, key })).body;
  const row = () => storedConnection(app.database.db, { connectionId: 'it' });

  it('replaces the whole tag object', async () => {
    const { status, body } = await patch({ tags: { Team: 'x' } });
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ success: true });
    expect((await read()).tags).to.deep.equal({ team: 'x' });
    await patch({ tags: {} });
    expect((await read()).tags).to.deep.equal({});
  });

  it('changes nothing when the body is empty', async () => {
    await patch({ tags: { a: '1' }, webhook_url_override: 'https://hooks.example/x' });
    const before = await row();
    expect((await patch({})).body).to.deep.equal({ success: true });
    expect(await row()).to.deep.equal(before);
  });

  it('keeps what the body does not name', async () => {
    const before = await read();
    await patch({ webhook_url_override: 'https://hooks.example/y' });
    const after = await read();
    expect({ ...after, updated_at: before.updated_at }).to.deep.equal(before);
    expect(Date.parse(after.updated_at)).to.be.at.least(Date.parse(before.updated_at));
    expect((await row()).generation).to.equal(1);
  });

  it('sets the webhook URL, and removes it when it is empty', async () => {
    await patch({ webhook_url_override: 'https://hooks.example/z?a=b' });
    expect((await row()).webhook_url_override).to.equal('https://hooks.example/z?a=b');
    await patch({ webhook_url_override: '' });
    expect((await row()).webhook_url_override).to.equal(null);
  });

  const longest = `https://hooks.example/${'x'.repeat(2048 - 'https://hooks.example/'.length)}`;
  it('takes an address of 2,048 characters', async () => {
    expect((await patch({ webhook_url_override: longest })).status).to.equal(200);
  });

  const addresses = [
    `${longest}x`,
    'hooks.example',
    '/x',
    'ftp://hooks.example',
    'https://user%3A:secret@hooks.example',
    'https://hooks.example/a b',
    'http://hooks.example',
    'https://10.0.0.1',
    'https://[::1]/x',
    'https://169.254.169.254/latest',
    ' ',
    null,
    7,
    ['https://hooks.example'],
  ];
  for (const webhook_url_override of addresses) {
    it(`refuses webhooks to ${JSON.stringify(webhook_url_override).slice(0, 40)}`, async () => {
      const before = await row();
      expectError(await patch({ webhook_url_override, tags: { not: 'this' } }), 'invalid_body', ['webhook_url_override']);
      expect(await row()).to.deep.equal(before);
    });
  }

  for (const tags of [null, 'text', 7, [], { a: 7 }, { a: '' }, { '1': 'v' }, { a: '1', A: '2' }, { a: 'v'.repeat(256) }]) {
    it(`refuses the tags ${JSON.stringify(tags).slice(0, 20)}`, async () => {
      const before = await row();
      const response = await patch({ tags });
      expectError(response, 'invalid_body');
      expect(response.body.error.errors[0].path[0]).to.equal('tags');
      expect(await row()).to.deep.equal(before);
    });
  }

  for (const member of ['metadata', 'credentials', 'connection_config', 'connection_id', 'provider_config_key', 'surplus']) {
    it(`refuses a member ${member}`, async () => {
      expectError(await patch({ [member]: {} }), 'invalid_body', [member]);
    });
  }

  for (const body of [undefined, 'null', '[]', '7']) {
    it(`refuses ${body ?? 'no body'}`, async () => {
      const headers = { 'content-type': 'application/json' };
      expectError(await app.api.patch('/connections/it?provider_config_key=one', body, { headers }), 'invalid_body');
    });
  }

  for (const query of ['', '?provider_config_key=', '?provider_config_key=one&force=true', '?provider_config_key[]=one']) {
    it(`refuses the query ${JSON.stringify(query)}`, async () => {
      expectError(await patch({}, `/connections/it${query}`), 'invalid_query_params');
    });
  }

  it('says what does not exist, even when the body is empty', async () => {
    expectError(await patch({}, '/connections/nobody?provider_config_key=one'), 'unknown_connection');
    expectError(await patch({}, '/connections/it?provider_config_key=two'), 'unknown_connection');
    expectError(await patch({}, '/connections/it?provider_config_key=nobody'), 'unknown_provider_config');
    expectError(await patch({ tags: { a: '1' } }, '/connections/nobody?provider_config_key=one'), 'unknown_connection');
  });

  it('needs its scope', async () => {
    const api = await clientWith(app, 'environment:connections:create', 'environment:connections:read_credentials');
    expectError(await patch({}, undefined, api), 'forbidden');
  });

  it('by many at once leaves the values of one of them', async () => {
    const responses = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) => patch({ tags: { n: String(n) }, end_user: { id: `u${n}` } })),
    );
    for (const { status } of responses) expect(status).to.equal(200);
    const { tags, end_user } = await read();
    expect(tags).to.deep.equal({ n: tags.n, end_user_id: `u${tags.n}` });
    expect(end_user.id).to.equal(`u${tags.n}`);
  });

  describe('by the older path', () => {
    before(async () => {
      for (const key of ['one', 'two']) await storeConnection(app, { key, connectionId: 'twin' });
      await storeConnection(app, { key: 'two', connectionId: 'sole' });
    });

    it('needs no integration while the ID is unique in the environment', async () => {
      expect((await patch({ tags: { via: 'v1' } }, '/v1/connections/sole')).body).to.deep.equal({ success: true });
      expect((await read('sole', 'two')).tags).to.deep.equal({ via: 'v1' });
    });

    it('names the integrations when it is not, and changes none', async () => {
      const response = await patch({ tags: { via: 'v1' } }, '/v1/connections/twin');
      expectError(response, 'invalid_query_params', ['provider_config_key']);
      expect(response.body.error.message).to.contain('one').and.to.contain('two');
      for (const key of ['one', 'two']) expect((await read('twin', key)).tags).to.deep.equal({});
    });

    it('takes the integration too', async () => {
      await patch({ tags: { via: 'v1' } }, '/v1/connections/twin?provider_config_key=two');
      expect((await read('twin', 'two')).tags).to.deep.equal({ via: 'v1' });
      expect((await read('twin', 'one')).tags).to.deep.equal({});
      expectError(await patch({}, '/v1/connections/sole?provider_config_key=one'), 'unknown_connection');
    });

    it('sees no connection of another environment, nor a deleted one', async () => {
      const other = await storeTenant(app, 'other');
      await storeIntegration(other.api, 'one');
      await storeConnection(app, { key: 'one', connectionId: 'foreign', environmentId: other.environmentId });
      await storeConnection(app, { key: 'one', connectionId: 'sole', environmentId: other.environmentId });
      expectError(await patch({}, '/v1/connections/foreign'), 'unknown_connection');
      expect((await patch({}, '/v1/connections/sole')).status).to.equal(200);
      await app.api.delete('/connections/twin?provider_config_key=two');
      expect((await patch({}, '/v1/connections/twin')).status).to.equal(200);
    });

    it('refuses any other query, body or method', async () => {
      expectError(await patch({}, '/v1/connections/sole?surplus=1'), 'invalid_query_params');
      expectError(await patch({ surplus: 1 }, '/v1/connections/sole'), 'invalid_body', ['surplus']);
      expectError(await app.api.get('/v1/connections/sole'), 'method_not_allowed');
    });
  });
});
