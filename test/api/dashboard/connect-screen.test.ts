import { expect } from 'chai';
import { createSession } from '../../support/connect.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { expectError } from '../../support/std-error.ts';
import { startTenant } from '../../support/tenant.ts';
import { use } from '../../support/use.ts';

const GUIDE = 'https://help.acme.example/connect';

describe('the connect page of an integration, configured in the dashboard', function () {
  const app = use(this, startTenant);
  let developer: TestMember;
  const set = (key: string, screen: object, { ui } = developer) =>
    ui.put(`/api/ui/e/dev/integrations/${key}/connect-screen`, screen);

  before(async () => {
    developer = await signedInAs(app, 'developer');
    for (const [key, name] of Object.entries({ a: 'Amber', b: 'Birch', c: 'Cobalt', d: 'Delta' }))
      await app.api.post('/integrations', { unique_key: key, provider: 'sandbox-api-key', display_name: name });
  });

  const offered = async () => {
    const client = app.client(await createSession(app));
    const { body } = await client.get('/connect/session');
    return body.data.integrations.map((one: { readonly unique_key: string }) => one.unique_key).join('');
  };
  const guideIn = async (overrides: object = {}) => {
    const client = app.client(await createSession(app, { overrides }));
    return (await client.get('/connect/integrations/a')).body.data.guide_url;
  };

  it('is offered by its configured position, and by name if it has none', async () => {
    expect(await offered()).to.equal('abcd');
    for (const [key, position] of Object.entries({ d: 1, c: 2, b: 2 })) {
      const { status, body } = await set(key, { guide_url: null, position });
      expect([status, body.data.position]).to.deep.equal([200, position]);
    }
    expect(await offered()).to.equal('dbca');
    await set('d', { guide_url: null, position: null });
    expect(await offered()).to.equal('bcad');
  });

  it('links to its own guide, unless the session has one', async () => {
    const ofDefinition = await guideIn();
    await set('a', { guide_url: GUIDE, position: null });
    expect(await guideIn()).to.equal(GUIDE);
    expect(await guideIn({ a: { docs_connect: 'https://app.example/how' } })).to.equal('https://app.example/how');
    const { data } = (await developer.ui.get('/api/ui/e/dev/integrations/a/status')).body;
    expect(data.connect_screen).to.deep.equal({ guide_url: GUIDE, position: null });
    await app.api.patch('/integrations/a', { display_name: 'Anders' });
    expect(await guideIn(), 'another change keeps it').to.equal(GUIDE);
    await set('a', { guide_url: null, position: null });
    expect(await guideIn()).to.equal(ofDefinition);
  });

  it('is recorded', async () => {
    await set('b', { guide_url: GUIDE, position: 7 });
    const entry = await app.database.db('audit_entries').orderBy('sequence', 'desc').first();
    expect(entry).to.include({ action: 'integration.update', subject_id: 'b' });
  });

  it('accepts no other values, and none from viewers', async () => {
    const wrong: readonly object[] = [
      { guide_url: 'http://help.acme.example', position: null },
      { guide_url: 'javascript:alert(1)', position: null },
      { guide_url: 'https://a:b@help.acme.example', position: null },
      { guide_url: null, position: 0 },
      { guide_url: null, position: 1000 },
      { guide_url: null, position: 1.5 },
      { guide_url: null },
    ];
    for (const screen of wrong) expectError(await set('a', screen), 'invalid_body');
    expectError(await set('none', { guide_url: null, position: 1 }), 'unknown_provider_config');
    expectError(await set('a', { guide_url: null, position: 1 }, await signedInAs(app, 'viewer')), 'forbidden');
  });
});
