import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { createSession, throughProxy } from '../support/connect.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

/** Hosts that may look like other hosts, with the form into which a URL parser converts them (UTS #46). */
const LOOKALIKES: Readonly<Record<string, string>> = {
  'аpple.example': 'xn--pple-43d.example',
  'раураl.example': 'xn--l-7sba6dbr.example',
  'gооgle.example': 'xn--ggle-55da.example',
  'münchen.example': 'xn--mnchen-3ya.example',
  'faß.example': 'xn--fa-hia.example',
  '例え.example': 'xn--r8jz45g.example',
  '🦊.example': 'xn--9s9h.example',
  'ｅxample.example': 'example.example',
  'exa\u00admple.example': 'example.example',
  'example。example': 'example.example',
  'Ⓔxample.example': 'example.example',
  'ﬁle.example': 'file.example',
};
/** Texts that a URL parser refuses as hosts. */
const NO_HOSTS = ['a\u202eb.example', 'a\u200bb c.example', 'exam\u0000ple.example', 'a／b@c.example'];

const ODD_IDS = [
  '🦊',
  '👩‍🚀 crew',
  'é',
  'e\u0301',
  'ﬁ',
  'İstanbul',
  'ß',
  'SS',
  'ǅ',
  '\u202eevil',
  'a\u200bb',
  '١٢٣',
  '%2e%2e',
  '+',
  '?#',
  '\u{10ffff}',
];

describe('a host in non-ASCII letters (IDN-01)', function () {
  const app = use(this, startTenant);
  let made = 0;

  before(async () => {
    await storeIntegration(app.api, 'one');
    await app.api.post('/integrations', { unique_key: 'nextcloud', provider: 'nextcloud' });
  });

  async function newEnvironment(callbackUrl: string) {
    made += 1;
    return app.client(app.accountKey).post('/environments', { name: `e${made}`, callback_url: callbackUrl });
  }

  async function overrideOf(connectionId: string): Promise<string> {
    const row = await app.database.db('connections').where({ connection_id: connectionId }).first('webhook_url_override');
    return row.webhook_url_override;
  }

  for (const [host, ascii] of Object.entries(LOOKALIKES)) {
    it(`is stored and shown in its ASCII form in a callback URL: ${host}`, async () => {
      const { body } = await newEnvironment(`https://${host}/callback?a=b`);
      expect(body.data.callback_url).to.equal(`https://${ascii}/callback?a=b`);
      const { body: list } = await app.client(app.accountKey).get('/environments');
      expect(list.data.at(-1).callback_url).to.equal(`https://${ascii}/callback?a=b`);
    });

    it(`is stored in its ASCII form in a webhook URL: ${host}`, async () => {
      const { connectionId } = await storeConnection(app, { key: 'one' });
      const body = { webhook_url_override: `https://${host}/in` };
      expect((await app.api.patch(`/connections/${connectionId}?provider_config_key=one`, body)).body).to.deep.equal({
        success: true,
      });
      expect(await overrideOf(connectionId)).to.equal(`https://${ascii}/in`);
    });

    it(`is refused as a host name in a form: ${host}`, async () => {
      const defaults = (hostname: string) => ({
        integrations_config_defaults: { nextcloud: { connection_config: { hostname } } },
      });
      expectError(await app.api.post('/connect/sessions', defaults(host)), 'invalid_body');
      if (ascii.startsWith('xn--')) expect((await app.api.post('/connect/sessions', defaults(ascii))).status).to.equal(201);
    });

    it(`is refused as a URL of an integration: ${host}`, async () => {
      const config = {
        token_url: `https://${host}/token`,
        authorization_url: 'https://a.example',
        api_base_url: 'https://a.example',
      };
      const response = await app.api.post('/integrations', {
        unique_key: 'x',
        provider: 'generic-oauth',
        integration_config: config,
      });
      expectError(response, 'invalid_body', ['integration_config', 'token_url']);
    });
  }

  for (const host of NO_HOSTS) {
    it(`is refused if it is invalid: ${JSON.stringify(host)}`, async () => {
      expectError(await newEnvironment(`https://${host}/`), 'invalid_body');
      const { connectionId } = await storeConnection(app, { key: 'one' });
      const body = { webhook_url_override: `https://${host}/in` };
      expectError(await app.api.patch(`/connections/${connectionId}?provider_config_key=one`, body), 'invalid_body');
    });
  }

  it('leaves an ASCII URL unchanged', async () => {
    const address = 'https://App.Example.com:8443/Call/back?x=%C3%BC&y=a+b';
    expect((await newEnvironment(address)).body.data.callback_url).to.equal(address);
  });
});

describe('a connection ID in non-ASCII letters (IDN-01)', function () {
  const app = use(this, () => startApp({ env: { SVC_OUTBOUND_ALLOW: '' } }));

  before(async () => {
    await app.api.post('/integrations', {
      unique_key: 'one',
      provider: 'generic-oauth',
      integration_config: {
        authorization_url: 'https://a.example',
        token_url: 'https://a.example',
        api_base_url: 'https://10.0.0.1',
      },
    });
    for (const id of ODD_IDS) await importConnection(id);
  });

  function importConnection(id: string) {
    return app.api.post('/connections', {
      connection_id: id,
      provider_config_key: 'one',
      credentials: { type: 'OAUTH2', access_token: 'example-access-token' },
      tags: { name: id },
    });
  }

  for (const id of ODD_IDS) {
    it(`names one connection and no other: ${JSON.stringify(id)}`, async () => {
      const { body: list } = await app.api.get(`/connections?${new URLSearchParams({ connectionId: id })}`);
      expect(list.connections.map((one: { connection_id: string }) => one.connection_id)).to.deep.equal([id]);
      const { body: tagged } = await app.api.get(`/connections?${new URLSearchParams({ 'tags[name]': id })}`);
      expect(tagged.connections).to.have.length(1);
      const session = await app.api.post('/connect/sessions/reconnect', { connection_id: id, integration_id: 'one' });
      expect(session.status).to.equal(201);
      const metadata = { connection_id: id, provider_config_key: 'one', metadata: { [id]: id } };
      expect((await app.api.post('/connections/metadata', metadata)).body).to.deep.equal(metadata);
    });

    it(`is found by address and by header: ${JSON.stringify(id)}`, async () => {
      const { body } = await app.api.get(`/connections/${encodeURIComponent(id)}?provider_config_key=one`);
      expect(body.connection_id).to.equal(id);
      expect(body.metadata).to.deep.equal({ [id]: id });
      const named = { key: 'one', connectionId: Buffer.from(id).toString('latin1') };
      expectError(await throughProxy(app, named, { path: '/me' }), 'address_not_allowed');
    });
  }
});

describe('an integration key (IDN-01)', function () {
  const app = use(this, startTenant);

  it('is case-sensitive: keys that differ in case are two keys', async () => {
    for (const key of ['Key', 'key', 'KEY']) await storeIntegration(app.api, key);
    for (const key of ['Key', 'key', 'KEY'])
      expect((await app.api.get(`/integrations/${key}`)).body.data.unique_key).to.equal(key);
    expectError(await app.api.get('/integrations/kEY'), 'unknown_provider_config');
    const token = await createSession(app, { allowed_integrations: ['Key'] });
    expect((await app.client(token).get('/integrations')).body.data).to.have.length(1);
  });

  for (const key of ['ключ', 'kеy', 'ｋey', '\u212aey', 'k\u0131y', 'key\u200b', '🦊', 'é', 'key\u0301', 'a/b', 'a\tb']) {
    it(`allows no other letters: ${JSON.stringify(key)}`, async () => {
      expectError(await app.api.post('/integrations', { unique_key: key, provider: 'github' }), 'invalid_body', ['unique_key']);
    });
  }
});

describe('the key of a tag (IDN-01)', function () {
  const app = use(this, startTenant);

  for (const key of ['\u212aey', 'İd', 'ключ', 'ｋey', 'ſ', 'k\u0301', '🦊']) {
    it(`allows no other letters, even if their lower case is ASCII: ${JSON.stringify(key)}`, async () => {
      expectError(await app.api.post('/connect/sessions', { tags: { [key]: 'x' } }), 'invalid_body');
    });
  }

  it('is case-insensitive', async () => {
    expectError(await app.api.post('/connect/sessions', { tags: { Org: 'x', oRG: 'y' } }), 'invalid_body');
  });
});
