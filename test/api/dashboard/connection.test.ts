import { expect } from 'chai';
import { canary } from '../../support/canaries.ts';
import { OF_OUR_PAGE, signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { CONFIG } from '../../support/integration-bodies.ts';
import { expectError } from '../../support/std-error.ts';
import { storeConnection } from '../../support/stored.ts';
import { startTenant } from '../../support/tenant.ts';
import { use } from '../../support/use.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\nand more', 'latin1');

describe('a connection as the dashboard shows it', function () {
  const app = use(this, startTenant);
  let viewer: TestMember;
  let connectionId: string;

  before(async () => {
    viewer = await signedInAs(app, 'viewer');
    await app.api.post('/integrations', {
      unique_key: 'acme',
      display_name: 'Acme',
      provider: 'generic-oauth',
      credentials: { client_id: 'client', client_secret: canary('client secret') },
      integration_config: CONFIG,
    });
    ({ connectionId } = await storeConnection(app, { key: 'acme', tags: { end_user_email: 'ada@acme.example' } }));
  });

  it('shows the auth mode and the scopes of its credentials', async () => {
    const path = `/api/ui/e/dev/connections/${connectionId}/status?provider_config_key=`;
    const { data } = (await viewer.ui.get(`${path}acme`)).body;
    const { integration, ...rest } = data;
    expect(integration.display_name).to.equal('Acme');
    expect(rest).to.deep.equal({
      ...{ auth_mode: 'OAUTH2', is_refreshable: true, scopes: null },
      ...{ last_fetched_at: null, webhook_url_override: null },
    });
    expectError(await viewer.ui.get(`${path}other`), 'unknown_provider_config');
  });

  it('does not show the address of its webhooks, which counts as a signature, to viewers', async () => {
    const path = `/api/ui/e/dev/connections/${connectionId}?provider_config_key=acme`;
    expect((await viewer.ui.get(path)).status).to.equal(200);
    expectError(await viewer.ui.get(`${path}&include=webhook`), 'forbidden');
    const { ui } = await signedInAs(app, 'developer');
    expect((await ui.get(`${path}&include=webhook`)).body.webhook_url).to.contain('svcTag=');
  });

  it('shows its own webhook URL if it has one', async () => {
    const { ui } = await signedInAs(app, 'developer');
    const of = 'provider_config_key=acme';
    const set = await ui.patch(`/api/ui/e/dev/connections/${connectionId}?${of}`, { webhook_url_override: `${app.url}/hook` });
    expect(set.status, set.text).to.equal(200);
    const { data } = (await viewer.ui.get(`/api/ui/e/dev/connections/${connectionId}/status?${of}`)).body;
    expect(data.webhook_url_override).to.equal(`${app.url}/hook`);
  });

  it('shows the icon of its user’s company if there is one, and no other icon', async () => {
    const fetched_at = new Date();
    const known = ['acme.example', 'other.example'].map((domain) => ({ domain, image: PNG, fetched_at }));
    await app.services.db('company_logos').insert(known);
    const get = (env: string, domain: string) =>
      fetch(`${app.url}/api/ui/e/${env}/company-logo/${domain}`, { headers: { ...OF_OUR_PAGE, cookie: viewer.cookie } });
    const found = await get('dev', 'ACME.example');
    expect([found.status, found.headers.get('content-type')]).to.deep.equal([200, 'image/png']);
    expect(found.headers.get('cache-control')).to.match(/^private/);
    expect(Buffer.from(await found.arrayBuffer()).equals(PNG)).to.equal(true);
    expect((await get('dev', 'other.example')).status).to.equal(204);
    expect((await get('prod', 'acme.example')).status).to.equal(404);
  });
});
