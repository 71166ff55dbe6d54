import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { readConnection } from '../support/connect.ts';
import type { Client, ClientResponse } from '../support/http-client.ts';
import { RECORD_MEMBERS } from '../support/record-members.ts';
import { expectError } from '../support/std-error.ts';
import { clientWith, storeIntegration } from '../support/stored.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { use } from '../support/use.ts';

const KB = 1024;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns an object whose JSON is this many bytes long. */
function ofBytes(bytes: number): object {
  return { x: 'x'.repeat(bytes - '{"x":""}'.length) };
}

function tokens(): Record<string, string> {
  return { type: 'OAUTH2', access_token: canary('imported access token'), refresh_token: canary('imported refresh token') };
}

describe('importing a connection', function () {
  const app = use(this, startApp);

  before(async () => {
    for (const key of ['one', 'two']) await storeIntegration(app.api, key);
    await app.api.post('/integrations', { unique_key: 'salesforce', provider: 'salesforce' });
  });

  const put = (body: object, api: Client = app.api): Promise<ClientResponse> =>
    api.post('/connections', { provider_config_key: 'one', credentials: tokens(), ...body });

  it('returns the record that the interface promises', async () => {
    const credentials = tokens();
    const input = {
      connection_id: 'whole',
      connection_config: { region: 'eu' },
      metadata: { plan: { seats: 5 }, list: [1, null, 'x'] },
      tags: { Org: 'acme' },
    };
    const { status, body } = await put({ ...input, credentials });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys(...RECORD_MEMBERS, 'credentials');
    expect(body).to.deep.include({
      ...input,
      tags: { org: 'acme' },
      provider_config_key: 'one',
      provider: 'generic-oauth',
      errors: [],
      end_user: null,
    });
    expect(body.id).to.be.a('number').and.to.satisfy(Number.isSafeInteger);
    for (const member of ['created_at', 'updated_at', 'last_fetched_at']) expect(body[member]).to.match(ISO_8601);
    expect(body.last_fetched_at).to.equal(body.created_at);
    const raw = { access_token: credentials['access_token'] };
    expect(body.credentials).to.deep.equal({ type: 'OAUTH2', access_token: credentials['access_token'], raw });
    const read = await readConnection(app, { connectionId: 'whole', key: 'one' });
    expect(read.body).to.deep.equal(body);
  });

  it('needs no more than the integration and the credentials', async () => {
    const { body } = await put({});
    expect(body.connection_id).to.match(UUID_V4);
    expect(body).to.deep.include({ metadata: {}, connection_config: {}, tags: {}, end_user: null });
  });

  it('creates a new connection each time if the request has no ID', async () => {
    const [first, second] = await Promise.all([put({}), put({})]);
    expect(first?.body.connection_id).not.to.equal(second?.body.connection_id);
  });

  it('accepts the same ID in two integrations, beside generated IDs', async () => {
    await put({ connection_id: 'twin', metadata: { n: 1 } });
    await put({ connection_id: 'twin', provider_config_key: 'two', metadata: { n: 2 } });
    const { body: generated } = await put({});
    for (const [key, n] of [
      ['one', 1],
      ['two', 2],
    ] as const) {
      expect((await readConnection(app, { connectionId: 'twin', key })).body.metadata).to.deep.equal({ n });
    }
    const { body } = await app.api.get('/connections?connectionId=twin');
    expect(body.connections).to.have.length(2);
    expect((await readConnection(app, { connectionId: generated.connection_id, key: 'one' })).status).to.equal(200);
  });

  for (const connection_id of ['x', 'x'.repeat(255), 'a/b', 'ünïcode 🦊', ' ', '?&=#%2F', '7', `'";--`]) {
    it(`takes the ID ${JSON.stringify(connection_id.slice(0, 20))}`, async () => {
      expect((await put({ connection_id })).body.connection_id).to.equal(connection_id);
    });
  }

  const ids = ['', 'x'.repeat(256), 'a\nb', 'a\tb', '\u007f', 'a\u0085', null, 7, true, ['x'], { x: 'y' }];
  for (const connection_id of ids) {
    it(`refuses the ID ${JSON.stringify(connection_id).slice(0, 20)}`, async () => {
      expectError(await put({ connection_id }), 'invalid_body', ['connection_id']);
    });
  }

  for (const provider_config_key of ['', 'x'.repeat(256), 'a/b', null, 7, ['one']]) {
    it(`refuses ${JSON.stringify(provider_config_key).slice(0, 20)} as integration`, async () => {
      expectError(await put({ provider_config_key }), 'invalid_body', ['provider_config_key']);
    });
  }

  it('reports an unknown integration', async () => {
    expectError(await put({ provider_config_key: 'nobody' }), 'unknown_provider_config');
  });

  for (const member of ['provider_config_key', 'credentials']) {
    it(`needs ${member}`, async () => {
      expectError(await put({ [member]: undefined }), 'invalid_body', [member]);
    });
  }

  for (const member of ['id', 'provider', 'errors', 'created_at', 'access_token', 'surplus']) {
    it(`refuses a member ${member}`, async () => {
      expectError(await put({ [member]: 'x' }), 'invalid_body', [member]);
    });
  }

  for (const member of ['connection_config', 'metadata']) {
    for (const value of [null, 'text', 7, true, []]) {
      it(`refuses ${JSON.stringify(value)} as ${member}`, async () => {
        expectError(await put({ [member]: value }), 'invalid_body', [member]);
      });
    }

    it(`takes 64 KB of ${member} and no byte more`, async () => {
      expect((await put({ [member]: ofBytes(64 * KB) })).status).to.equal(200);
      expectError(await put({ [member]: ofBytes(64 * KB + 1) }), 'invalid_body', [member]);
    });

    for (const name of ['__proto__', 'constructor', 'prototype']) {
      it(`refuses a member ${name} anywhere in ${member}`, async () => {
        const credentials = JSON.stringify(tokens());
        const text = `{"provider_config_key":"one","credentials":${credentials},"${member}":{"a":[{"${name}":{"b":1}}]}}`;
        const response = await app.api.post('/connections', text, { headers: { 'content-type': 'application/json' } });
        expectError(response, 'invalid_body', [member, 'a', '0', name]);
      });
    }
  }

  const wrongTags: Readonly<Record<string, object>> = {
    'eleven keys': Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`k${n}`, 'v'])),
    'a key of 65 characters': { ['k'.repeat(65)]: 'v' },
    'a key twice but for its case': { Org: '1', org: '2' },
    'a key that begins with a digit': { '1a': 'v' },
    'a key with a space': { 'a b': 'v' },
    'an empty value': { a: '' },
    'a value of 256 characters': { a: 'v'.repeat(256) },
    'a value that is no text': { a: 7 },
    'an e-mail address that is none': { END_USER_EMAIL: 'nobody' },
  };
  for (const [what, tags] of Object.entries(wrongTags)) {
    it(`refuses tags with ${what}`, async () => {
      const response = await put({ tags });
      expectError(response, 'invalid_body');
      expect(response.body.error.errors[0].path[0]).to.equal('tags');
    });
  }

  it('takes ten tags with the longest key and value', async () => {
    const tags = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`k${n}`, 'v']));
    const { body } = await put({ tags: { ...tags, ['k'.repeat(64)]: 'v'.repeat(255) } });
    expect(Object.keys(body.tags)).to.have.length(10);
  });

  it('accepts a webhook URL, but none that the service may not call', async () => {
    const id = { connection_id: 'hooked' };
    await put({ ...id, webhook_url_override: 'https://hooks.example/x' });
    expect(await storedConnection(app.database.db, { connectionId: 'hooked' })).to.include({
      webhook_url_override: 'https://hooks.example/x',
    });
    for (const webhook_url_override of ['https://10.0.0.1/x', 'http://hooks.example', 'ftp://a.example', 'x', null, 7]) {
      expectError(await put({ ...id, webhook_url_override }), 'invalid_body', ['webhook_url_override']);
    }
  });

  it('checks the configuration against the fields of the provider', async () => {
    // The token has expired, so the service does not ask the provider whose account it is.
    const credentials = { ...tokens(), expires_at: '2020-01-01T00:00:00.000Z' };
    const salesforce = { provider_config_key: 'salesforce', credentials };
    const wrong = await put({ ...salesforce, connection_config: { domain: 'evil.example/x' } });
    expectError(wrong, 'invalid_body', ['connection_config', 'domain']);
    const right = { domain: 'acme.my.salesforce.com', more: [1] };
    expect((await put({ ...salesforce, connection_config: right })).status).to.equal(200);
  });

  it('shows what it stored to a key that may not read credentials', async () => {
    const credentials = tokens();
    const api = await clientWith(app, 'environment:connections:create');
    const { body } = await put({ credentials }, api);
    expect(body.credentials.access_token).to.equal(credentials['access_token']);
    expect(JSON.stringify(body)).not.to.contain(credentials['refresh_token']);
  });

  it('needs its scope', async () => {
    const api = await clientWith(app, 'environment:connections:update', 'environment:connections:read_credentials');
    expectError(await put({}, api), 'forbidden');
  });

  it('takes no query', async () => {
    const body = { provider_config_key: 'one', credentials: tokens() };
    expectError(await app.api.post('/connections?provider_config_key=one', body), 'invalid_query_params');
  });
});
