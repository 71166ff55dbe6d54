import { expect } from 'chai';
import { PROOF } from '../../core/catalogue/proof.ts';
import { storeProbe } from '../../core/connections/integrations/provider-probe-store.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createSession, mustBe } from '../support/connect.ts';
import { makeFolders } from '../support/folders.ts';
import type { Client } from '../support/http-client.ts';
import { serve } from '../support/loopback-server.ts';
import { clientWith, storeTenant } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const OWN = {
  display_name: 'Own',
  docs: 'https://docs.example.com',
  auth_mode: 'API_KEY',
  proxy: { base_url: 'https://own.example' },
};
const FACTS = {
  sources: ['https://docs.example.com', 'https://other.example.com'],
  hosts: { api: 'own.example' },
  checked: '2026-01-31',
};

/** Creates a connection at a provider that needs no credentials. @returns its ID */
async function connect(api: Client, key: string, api_base_url = 'https://api.example'): Promise<string> {
  const integration_config = { api_base_url };
  mustBe(200, await api.post('/integrations', { unique_key: key, provider: 'unauthenticated', integration_config }));
  const response = await api.post('/connections', { provider_config_key: key, credentials: { type: 'NONE' } });
  mustBe(200, response);
  return response.body.connection_id;
}

async function proofOf(api: Client, slug: string) {
  const { body } = await api.get(`/providers/${slug}`);
  const listed = (await api.get(`/providers?search=${slug}&fields=name,proof`)).body.data;
  expect(listed).to.deep.include({ name: slug, proof: body.data.proof });
  return body.data.proof;
}

describe('the proof of providers', function () {
  const folders = use(this, () =>
    makeFolders({
      'stated/provider.json': JSON.stringify(OWN),
      'checked/provider.json': JSON.stringify(OWN),
      'checked/facts.json': JSON.stringify(FACTS),
      'odd/provider.json': JSON.stringify(OWN),
      'odd/facts.json': '{"checked": "yesterday"}',
      'github/provider.json': JSON.stringify(OWN),
    }),
  );
  const app: TestApp = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));

  it('is of the level driven for bundled providers', async () => {
    expect(await proofOf(app.api, 'stripe')).to.deep.equal({ level: PROOF.driven, at: '2026-11-23' });
    expect(await proofOf(app.api, 'generic-oauth')).to.deep.equal({ level: PROOF.driven, at: null });
  });

  it('is of the level stated for the operator’s own providers, with the date of their facts', async () => {
    expect(await proofOf(app.api, 'stated')).to.deep.equal({ level: PROOF.stated, at: null });
    expect(await proofOf(app.api, 'checked')).to.deep.equal({ level: PROOF.stated, at: FACTS.checked });
    expect(await proofOf(app.api, 'odd')).to.deep.equal({ level: PROOF.stated, at: null });
    expect(await proofOf(app.api, 'github')).to.deep.equal({ level: PROOF.stated, at: null });
  });

  it('is of the level probed if the provider responded to a probe of the same definition', async () => {
    const { db, catalogue } = app.services;
    const stated = await proofOf(app.api, 'checked');
    const provider = catalogue.find('checked');
    if (provider === undefined) throw new Error('no provider');
    await storeProbe(db, provider, true);
    const today = (await db('provider_probes').first()).answered_at.toISOString().slice(0, 10);
    expect(await proofOf(app.api, 'checked')).to.deep.equal({ level: PROOF.probed, at: today });
    const { definition } = provider;
    await storeProbe(db, { slug: 'checked', definition: { ...definition, proxy: { base_url: 'https://other.example' } } }, true);
    expect(await proofOf(app.api, 'checked')).to.deep.equal(stated);
    await storeProbe(db, provider, true);
    await storeProbe(db, provider, false);
    expect(await proofOf(app.api, 'checked')).to.deep.equal(stated);
  });

  it('is not raised by an import, whose credentials have not been used', async () => {
    await connect(app.api, 'one');
    expect(await proofOf(app.api, 'unauthenticated')).to.deep.equal({ level: PROOF.driven, at: null });
  });

  it('is of the level answered once the provider has answered a call with 2xx, for keys that may list connections', async () => {
    await using provider = await serve(({ url }, response) => response.writeHead(url === '/fine' ? 200 : 403).end());
    const connection_id = await connect(app.api, 'called', provider.url);
    const headers = { 'connection-id': connection_id, 'provider-config-key': 'called' };
    const driven = { level: PROOF.driven, at: null };

    expect((await app.api.get('/proxy/refused', { headers })).status).to.equal(403);
    expect((await app.api.get('/proxy/fine', { headers })).status).to.equal(200);
    const answered = () => app.services.db('integrations').where({ unique_key: 'called' }).first('answered_at');
    await until('the answer is recorded', async () => (await answered()).answered_at !== null);
    const at = (await answered()).answered_at.toISOString().slice(0, 10);
    expect(await proofOf(app.api, 'unauthenticated')).to.deep.equal({ level: PROOF.answered, at });
    expect(await proofOf((await storeTenant(app, 'other')).api, 'unauthenticated')).to.deep.equal(driven);
    expect(await proofOf(app.client(await createSession(app)), 'unauthenticated')).to.deep.equal(driven);
    const lister = await clientWith(app, 'environment:integrations:list');
    expect(await proofOf(lister, 'unauthenticated')).to.deep.equal(driven);
    const both = await clientWith(app, 'environment:integrations:list', 'environment:connections:list');
    expect((await proofOf(both, 'unauthenticated')).level).to.equal(PROOF.answered);

    mustBe(200, await app.api.delete('/integrations/called'));
    expect(await proofOf(app.api, 'unauthenticated')).to.deep.equal(driven);
  });
});
