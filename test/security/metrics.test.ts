import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { sweep } from '../support/canaries.ts';
import { connect, connectAgain, readConnection, throughProxy } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { words } from '../support/words.ts';

const KEY = 'acme-corp-billing';
const OWN_METRICS = /^svc_/;
const LABELS = words`cause event fault folder le method node outcome provider role route state status table version`;

describe('the public metrics (MET-01)', () => {
  it('count by route, and name no tenant, integration, connection or secret', async () => {
    await using provider = await startFakeProvider();
    await using app = await startApp();
    const connected = await connect(app, provider, KEY);
    await connectAgain(app, KEY);
    await readConnection(app, connected);
    await throughProxy(app, connected, { path: '/status/404?customer=acme' });
    await app.api.get(`/integrations/${KEY}`);
    await app.api.get('/no/such/acme');
    await app.api.call('PURGE', '/connections');

    const { text } = await app.client().get('/metrics');
    expect(text).to.include('route="/proxy/*"').and.to.include('route="/connections/:connection_id"');
    expect(text)
      .to.include('provider="generic-oauth"')
      .and.not.to.match(/acme|fake|PURGE/i);
    expect(text).not.to.include(connected.connectionId);
    expect(text).not.to.include(new URL(provider.url).host);
    expect(sweep({ text })).to.deep.equal([]);
    const labels = text
      .split('\n')
      .filter((line) => OWN_METRICS.test(line))
      .flatMap((line) => line.match(/\w+(?==")/g) ?? []);
    expect([...new Set(labels)]).to.include.members(['provider', 'route', 'state']);
    for (const label of labels) expect(LABELS).to.include(label);
  });
});
