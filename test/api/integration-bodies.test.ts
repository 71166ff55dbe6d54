import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { makeFolders } from '../support/folders.ts';
import { CONFIG, CONFIGURED, CONFIGURED_FAULTS, NAMED, NAMED_FAULTS, pemKey } from '../support/integration-bodies.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

const RECORD = ['unique_key', 'display_name', 'provider', 'created_at', 'updated_at', 'logo', 'forward_webhooks'];
const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const BODY = { provider: 'generic-oauth', integration_config: CONFIG };

const modeProvider = (auth_mode: string) => JSON.stringify({ display_name: auth_mode, docs: 'https://docs.example', auth_mode });

describe('the body of an integration', function () {
  const files = use(this, () =>
    makeFolders({
      'providers/api-key/provider.json': modeProvider('API_KEY'),
      'providers/installed/provider.json': modeProvider('APP'),
      'shared.json': JSON.stringify({ github: { client_id: 'shared', client_secret: canary('shared secret'), scopes: [] } }),
    }),
  );
  const app = use(this, () =>
    startApp({ env: { SVC_PROVIDERS_DIR: `${files.path}/providers`, SVC_SHARED_APPS_FILE: `${files.path}/shared.json` } }),
  );
  let made = 0;

  const newKey = () => {
    made += 1;
    return `key-${made}`;
  };
  const post = (more: object) => app.api.post('/integrations', { unique_key: newKey(), ...BODY, ...more });
  const quick = (more: object) => app.api.post('/integrations/quickstart', { unique_key: newKey(), provider: 'github', ...more });
  const patch = async (more: object) => {
    const key = newKey();
    await app.api.post('/integrations', { unique_key: key, ...BODY });
    return app.api.patch(`/integrations/${key}`, more);
  };
  /**
   * Deletes the integration that a test has created, because the same tests run again for the next request, with the same key.
   */
  const remove = async (key: string) => {
    expect((await app.api.delete(`/integrations/${encodeURIComponent(key)}`)).status).to.equal(200);
  };

  const PLACES: Readonly<Record<string, readonly [method: string, path: string]>> = {
    POST: ['POST', '/integrations'],
    PATCH: ['PATCH', '/integrations/any'],
    quickstart: ['POST', '/integrations/quickstart'],
  };
  const METHODS = { POST: post, PATCH: patch, quickstart: quick };

  for (const [way, send] of Object.entries(METHODS)) {
    const isWhole = send !== quick;
    for (const [what, input] of Object.entries({ ...NAMED, ...(isWhole && CONFIGURED) })) {
      it(`of ${way} may have ${what}`, async () => {
        const { status, body, text } = await send(input);
        expect(status, text).to.equal(200);
        expect(Object.keys(body)).to.deep.equal(['data']);
        expect(body.data).to.have.all.keys(...RECORD);
        await remove(body.data.unique_key);
      });
    }

    for (const [what, [input, path]] of Object.entries({ ...NAMED_FAULTS, ...(isWhole && CONFIGURED_FAULTS) })) {
      it(`of ${way} may not have ${what}`, async () => {
        expectError(await send(input), 'invalid_body', path);
      });
    }

    it(`of ${way} must be an object`, async () => {
      const [method, path] = PLACES[way] ?? ['', ''];
      for (const body of [[], [{}], 7, null]) expectError(await app.api.call(method, path, { body }), 'invalid_body');
    });
  }

  describe('that creates one', () => {
    const required = { unique_key: 'unique_key', provider: 'provider' };
    for (const member of Object.keys(required)) {
      it(`must have ${member}`, async () => {
        expectError(await post({ [member]: undefined }), 'invalid_body', [member]);
        expectError(await quick({ [member]: undefined }), 'invalid_body', [member]);
      });
    }

    for (const provider of ['', 'nobody', 'toString', 'GENERIC-OAUTH', 'p'.repeat(256), 'a b', 7, null]) {
      it(`may not have the provider ${JSON.stringify(provider).slice(0, 20)}`, async () => {
        expectError(await post({ provider }), 'invalid_body', ['provider']);
        expectError(await quick({ provider }), 'invalid_body', ['provider']);
      });
    }

    it('must have the configuration that the provider requires', async () => {
      for (const name of Object.keys(CONFIG)) {
        const integration_config = { ...CONFIG, [name]: undefined };
        expectError(await post({ integration_config }), 'invalid_body', ['integration_config', name]);
      }
      expectError(await post({ integration_config: undefined }), 'invalid_body', ['integration_config', 'token_url']);
    });

    it('may not have configuration for a provider that has none', async () => {
      const input = { provider: 'github', integration_config: { token_url: 'https://auth.example' } };
      expectError(await post(input), 'invalid_body', ['integration_config', 'token_url']);
    });

    it('by quickstart has no credentials and no configuration', async () => {
      expectError(await quick({ credentials: {} }), 'invalid_body', ['credentials']);
      expectError(await quick({ integration_config: {} }), 'invalid_body', ['integration_config']);
    });

    it('by quickstart must name a provider with a shared app', async () => {
      expectError(await quick({ provider: 'slack' }), 'invalid_body', ['provider']);
    });
  });

  describe('that changes one', () => {
    it('may be empty, or change nothing', async () => {
      expect((await patch({})).status).to.equal(200);
      expect((await patch({ credentials: {}, integration_config: {} })).status).to.equal(200);
    });

    it('may not name another provider', async () => {
      expectError(await patch({ provider: 'github' }), 'invalid_body', ['provider']);
    });
  });

  describe('of another auth mode', () => {
    const appOf = (credentials: object, provider = 'installed') => post({ provider, credentials, integration_config: {} });

    for (const type of ['pkcs1', 'pkcs8'] as const) {
      it(`may have an installed app with a private key in ${type}`, async () => {
        const input = { type: 'APP', app_id: '12345', app_link: 'https://apps.example/ours', private_key: pemKey(type) };
        const { body } = await appOf(input);
        const read = await app.api.get(`/integrations/${body.data.unique_key}?include=credentials`);
        expect(read.body.data.credentials).to.deep.include(input);
      });
    }

    const faults: Readonly<Record<string, readonly [object, string]>> = {
      'an app ID that is empty': [{ app_id: '' }, 'app_id'],
      'an app ID of 256 characters': [{ app_id: '1'.repeat(256) }, 'app_id'],
      'an app link that is no URL': [{ app_link: 'apps.example' }, 'app_link'],
      'an app link of another scheme': [{ app_link: 'javascript:alert(1)' }, 'app_link'],
      'a private key that is none': [{ private_key: 'secret' }, 'private_key'],
      'a public key': [{ private_key: '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----' }, 'private_key'],
    };
    for (const [what, [input, member]] of Object.entries(faults)) {
      it(`may not have ${what}`, async () => {
        expectError(await appOf(input), 'invalid_body', ['credentials', member]);
      });
    }

    it('may have a webhook secret and no app, where users bring their own', async () => {
      const { body } = await appOf({ type: 'API_KEY', webhook_secret: 'webhook secret' }, 'api-key');
      const key = body.data.unique_key;
      const read = async () => (await app.api.get(`/integrations/${key}?include=credentials`)).body.data.credentials;
      expect(await read()).to.deep.equal({ type: 'API_KEY', webhook_secret: 'webhook secret' });
      await app.api.patch(`/integrations/${key}`, { credentials: { webhook_secret: '' } });
      expect(await read()).to.equal(null);
      for (const member of ['client_id', 'client_secret', 'scopes', 'app_id'])
        expectError(await appOf({ [member]: 'x' }, 'api-key'), 'invalid_body', ['credentials', member]);
    });
  });

  describe('in the response', () => {
    it('is the record: seven members, each of its type', async () => {
      const { body } = await post({ display_name: 'Ours', forward_webhooks: false });
      const { data } = body;
      expect(data).to.have.all.keys(...RECORD);
      for (const name of ['unique_key', 'display_name', 'provider', 'logo']) expect(data[name], name).to.be.a('string');
      for (const name of ['created_at', 'updated_at']) expect(data[name], name).to.match(ISO_8601);
      expect(data).to.include({ display_name: 'Ours', provider: 'generic-oauth', forward_webhooks: false });
      expect(data.logo).to.equal(`${app.url}/logos/generic-oauth.svg`);
      expect((await app.client().get(new URL(data.logo).pathname)).status).to.equal(200);
    });
  });
});
