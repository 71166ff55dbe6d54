import { expect } from 'chai';
import { PROOF } from '../../core/catalogue/proof.ts';
import { storeProbe } from '../../core/connections/integrations/provider-probe-store.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createSession, mustBe } from '../support/connect.ts';
import { makeFolders } from '../support/folders.ts';
import type { Client } from '../support/http-client.ts';
import { clientWith, storeTenant } from '../support/stored.ts';
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
async function connect(api: Client, key: string): Promise<string> {
  const integration_config = { api_base_url: 'https://api.example' };
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

  it('is of the level answered if the provider responded to a probe of the same definition', async () => {
    const { db, catalogue } = app.services;
    const stated = await proofOf(app.api, 'checked');
    const provider = catalogue.find('checked');
    if (provider === undefined) throw new Error('no provider');
    await storeProbe(db, provider, true);
    const today = (await db('provider_probes').first()).answered_at.toISOString().slice(0, 10);
    expect(await proofOf(app.api, 'checked')).to.deep.equal({ level: PROOF.answered, at: today });
    const { definition } = provider;
    await storeProbe(db, { slug: 'checked', definition: { ...definition, proxy: { base_url: 'https://other.example' } } }, true);
    expect(await proofOf(app.api, 'checked')).to.deep.equal(stated);
    await storeProbe(db, provider, true);
    await storeProbe(db, provider, false);
    expect(await proofOf(app.api, 'checked')).to.deep.equal(stated);
  });

  it('is of the level connected while the environment has a healthy connection', async () => {
    const { db } = app.services;
    const before = await proofOf(app.api, 'unauthenticated');
    expect(before).to.deep.equal({ level: PROOF.driven, at: null });
    const connection_id = await connect(app.api, 'one');
    const { refreshed_at } = await db('connections').where({ connection_id }).first();
    const connected = { level: PROOF.connected, at: refreshed_at.toISOString().slice(0, 10) };
    expect(await proofOf(app.api, 'unauthenticated')).to.deep.equal(connected);

    await db('connections').where({ connection_id }).update({ state: 'needs_reauth' });
    expect(await proofOf(app.api, 'unauthenticated')).to.deep.equal(before);
    await db('connections').where({ connection_id }).update({ state: 'healthy' });
    expect(await proofOf(app.api, 'unauthenticated')).to.deep.equal(connected);
    mustBe(200, await app.api.delete(`/connections/${connection_id}?provider_config_key=one`));
    expect(await proofOf(app.api, 'unauthenticated')).to.deep.equal(before);
  });

  it('reveals connections to no other environment, no session and no key that may not list them', async () => {
    const driven = { level: PROOF.driven, at: null };
    await connect(app.api, 'two');
    expect(await proofOf((await storeTenant(app, 'other')).api, 'unauthenticated')).to.deep.equal(driven);
    expect(await proofOf(app.client(await createSession(app)), 'unauthenticated')).to.deep.equal(driven);
    const lister = await clientWith(app, 'environment:integrations:list');
    expect(await proofOf(lister, 'unauthenticated')).to.deep.equal(driven);
    const both = await clientWith(app, 'environment:integrations:list', 'environment:connections:list');
    expect((await proofOf(both, 'unauthenticated')).level).to.equal(PROOF.connected);
  });
});
