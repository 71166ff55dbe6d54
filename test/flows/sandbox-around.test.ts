import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { readConnection, throughProxy } from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { addSandbox, connectSandbox, decide, openSandbox } from '../support/sandbox.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { storeScript } from '../support/stored-script.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const KEY = 'sandbox-oauth2';
const KEEPS_THE_NAME = `export default async function (svc) {
  const { data } = await svc.get({ endpoint: '/me' });
  await svc.updateMetadata({ name: data.name });
}`;

describe('around the sandbox', function () {
  const database = use(this, cloneDatabase);
  const env = { ...newServiceEnv(), SVC_OUTBOUND_ALLOW: '' };
  const one = use(this, () => startApp({ env, database }));
  const two = use(this, () => startApp({ env: { ...env, SVC_BASE_URL: one.url }, database }));
  before(() => addSandbox(one));

  it('two instances serve the same sandbox', async () => {
    const { browser, page } = await openSandbox(one);
    const elsewhere = { ...page, url: page.url.replace(one.url, two.url) };
    expect((await decide(browser, elsewhere)).status).to.equal(200);
    const [{ connection_id: connectionId }] = (await one.api.get('/connections?limit=1')).body.connections;
    const connected = { connectionId, key: KEY };
    for (const instance of [one, two])
      expect((await throughProxy(instance, connected, { path: '/me' })).body).to.include({ id: 'ada' });
  });

  it('a script calls it', async () => {
    one.services.scriptQueue.start();
    await storeScript(one, { key: KEY, source: KEEPS_THE_NAME });
    const connected = await connectSandbox(one);
    await until('the name is kept', async () => (await readConnection(one, connected)).body.metadata.name === 'Ada Lovelace');
  });
});
