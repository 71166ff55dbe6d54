import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { createSession } from '../support/connect.ts';
import type { Client, ClientResponse } from '../support/http-client.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeIntegration, storeTenant, type Tenant } from '../support/stored.ts';
import { storeScript } from '../support/stored-script.ts';
import { use } from '../support/use.ts';

/** A name that both environments use, and one that only the other environment uses. */
const SHARED = 'shared';
const FOREIGN = 'foreign';

describe('an environment (TEN-01)', function () {
  const app = use(this, startApp);
  let other: Tenant;

  before(async () => {
    other = await storeTenant(app, 'other');
    for (const api of [app.api, other.api]) await storeIntegration(api, SHARED);
    await storeIntegration(other.api, FOREIGN);
    for (const environmentId of [1, other.environmentId]) {
      await storeConnection(app, { key: SHARED, connectionId: SHARED, environmentId, tags: { owner: String(environmentId) } });
    }
    await storeScript(app, { key: FOREIGN, environmentId: other.environmentId, event: 'on-webhook' });
    await storeConnection(app, { key: SHARED, connectionId: FOREIGN, environmentId: other.environmentId, tags: { secret: 'x' } });
  });

  const proxied = (api: Client, connectionId: string, key: string) =>
    api.get('/proxy/me', { headers: { 'provider-config-key': key, 'connection-id': connectionId } });

  /**
   * Requests that address something by its name; for a name of another environment, the response must be the same as for none.
   */
  const QUESTIONS: Readonly<Record<string, (api: Client, name: string) => Promise<ClientResponse>>> = {
    'an integration': (api, name) => api.get(`/integrations/${name}?include=webhook&include=credentials`),
    'the scripts of an integration': (api, name) => api.get(`/integrations/${name}/scripts`),
    'the runs of a script': (api, name) => api.get(`/integrations/${name}/scripts/on-webhook/runs`),
    'a script’s deploy': (api, name) =>
      api.put(`/integrations/${name}/scripts/on-webhook`, { source: 'no script', language: 'javascript' }),
    'a change of a script': (api, name) => api.patch(`/integrations/${name}/scripts/on-webhook`, { enabled: false }),
    'the deletion of a script': (api, name) => api.delete(`/integrations/${name}/scripts/on-webhook`),
    'a connection': (api, name) => api.get(`/connections/${name}?provider_config_key=${SHARED}`),
    'a connection of an integration': (api, name) => api.get(`/connections/${SHARED}?provider_config_key=${name}`),
    'the deletion of a connection': (api, name) => api.delete(`/connections/${name}?provider_config_key=${SHARED}`),
    'an import': (api, name) => api.post('/connections', { provider_config_key: name, credentials: { type: 'NONE' } }),
    'a change of a connection': (api, name) =>
      api.patch(`/connections/${name}?provider_config_key=${SHARED}`, { tags: { changed: 'yes' } }),
    'a change by the older path': (api, name) => api.patch(`/v1/connections/${name}`, { tags: { changed: 'yes' } }),
    'metadata of connections': (api, name) =>
      api.post('/connections/metadata', { connection_id: [SHARED, name], provider_config_key: SHARED, metadata: { a: 1 } }),
    'metadata of an integration’s connections': (api, name) =>
      api.patch('/connections/metadata', { connection_id: SHARED, provider_config_key: name, metadata: { a: 1 } }),
    'connections by what they are about': (api, name) => api.get(`/connections?search=${name}`),
    'a proxied call by connection': (api, name) => proxied(api, name, SHARED),
    'a proxied call by integration': (api, name) => proxied(api, SHARED, name),
    'a session for an integration': (api, name) => api.post('/connect/sessions', { allowed_integrations: [name] }),
    'presets for an integration': (api, name) => api.post('/connect/sessions', { integrations_config_defaults: { [name]: {} } }),
    'a session to authorize again': (api, name) =>
      api.post('/connect/sessions/reconnect', { connection_id: name, integration_id: SHARED }),
    'connections by ID': (api, name) => api.get(`/connections?connectionId=${name}`),
    'connections by integration': (api, name) => api.get(`/connections?integrationId=${name}`),
    'connections by tag': (api, name) => api.get(`/connections?tags[secret]=${name === FOREIGN ? 'x' : 'y'}`),
    'an authorization': async (api, name) =>
      app.client().get(`/oauth/connect/${name}?connect_session_token=${await createSession({ ...app, api })}`),
  };

  for (const [what, ask] of Object.entries(QUESTIONS)) {
    it(`treats ${what} of another environment as if there were none`, async () => {
      const foreign = await ask(app.api, FOREIGN);
      const unknown = await ask(app.api, 'unknown');
      expect(foreign.status).to.equal(unknown.status);
      expect(foreign.text.replaceAll(FOREIGN, 'unknown')).to.equal(unknown.text);
      expect([...foreign.headers.keys()]).to.deep.equal([...unknown.headers.keys()]);
    });
  }

  it('can still read what is its own', async () => {
    const { body: scripts } = await other.api.get(`/integrations/${FOREIGN}/scripts`);
    expect(scripts.data).to.have.length(1);
    expect(scripts.data[0]).to.include({ version: 1, enabled: true });
    expect((await other.api.get(`/connections/${FOREIGN}?provider_config_key=${SHARED}`)).status).to.equal(200);
    expect((await other.api.get('/connections')).body.connections).to.have.length(2);
  });

  it('reads its own data under a name that both use', async () => {
    for (const [api, owner] of [
      [app.api, '1'],
      [other.api, String(other.environmentId)],
    ] as const) {
      expect((await api.get(`/connections/${SHARED}?provider_config_key=${SHARED}`)).body.tags).to.deep.equal({ owner });
      const { body } = await api.get(`/connections?connectionId=${SHARED}`);
      expect(body.connections).to.have.length(1);
      expect(body.connections[0].tags).to.deep.equal({ owner });
    }
  });

  it('is not listed with a cursor of another environment', async () => {
    const { body } = await other.api.get('/connections?limit=1');
    const { body: page } = await app.api.get(`/connections?cursor=${body.next_cursor}`);
    for (const { tags } of page.connections) expect(tags).to.deep.equal({ owner: '1' });
  });

  it('shows nothing to a session of another environment', async () => {
    const token = await createSession(app);
    const { body } = await app.client(token).get('/integrations');
    expect(body.data.map(({ unique_key }: { unique_key: string }) => unique_key)).to.deep.equal([SHARED]);
    expectError(await app.client().get(`/oauth/connect/${FOREIGN}?connect_session_token=${token}`), 'unknown_provider_config');
  });

  it('keeps its connection when another deletes one of the same name', async () => {
    const path = `/connections/${SHARED}?provider_config_key=${SHARED}`;
    expect((await other.api.delete(path)).status).to.equal(200);
    expect((await app.api.get(path)).body.tags).to.deep.equal({ owner: '1' });
  });
});
