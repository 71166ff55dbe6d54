import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app.ts';
import { authorize, type Connected, connect, mustBe, readConnection } from '../support/connect.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { askToBeTold, toldBy } from '../support/told.ts';
import type { Page } from '../support/web-walker.ts';

const WITHOUT_REFRESH_TOKEN = { members: { refresh_token: undefined } };

describe('a reconnect whose answer has no refresh token', () => {
  let app: TestApp;
  let provider: FakeProvider;
  let connected: Connected;

  beforeEach(async () => {
    app = await startApp();
    provider = await startFakeProvider();
    connected = await connect(app, provider);
    await askToBeTold(app.database.db);
  });
  afterEach(async () => {
    await provider[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  });

  it('drops the one before, and page, webhook and log say so', async () => {
    provider.next('token', WITHOUT_REFRESH_TOKEN);
    const page = await reconnect();
    expect(page.text).to.contain('You may be asked to connect again.');
    const { body } = await readConnection(app, connected, '&refresh_token=true');
    expect(body.credentials).to.not.have.property('refresh_token');

    const [told] = await overrides();
    expect(told).to.include({ success: true });
    expect(told.warning).to.have.all.keys('type', 'description').and.to.include({ type: 'no_refresh_token' });
    expect(await warnings()).to.deep.equal([{ warning: 'no_refresh_token' }]);
  });

  it('is the only one that warns', async () => {
    provider.next('token', WITHOUT_REFRESH_TOKEN, WITHOUT_REFRESH_TOKEN, {}, {});
    for (const hasWarning of [true, false, false, false]) {
      const page = await reconnect();
      expect(page.text.includes('You may be asked to connect again.')).to.equal(hasWarning);
    }
    expect((await overrides()).map((body) => 'warning' in body)).to.deep.equal([true, false, false, false]);
    expect(await warnings()).to.have.lengthOf(1);
  });

  async function reconnect(): Promise<Page> {
    const wanted = { connection_id: connected.connectionId, integration_id: connected.key };
    const session = await app.api.post('/connect/sessions/reconnect', wanted);
    mustBe(201, session);
    const page = await authorize(app, { key: connected.key, token: session.body.data.token });
    expect(page.status).to.equal(200);
    return page;
  }

  async function overrides() {
    return (await toldBy(app.services)).map(({ body }) => body).filter(({ operation }) => operation === 'override');
  }

  /** Facts of the warnings in the operation log, as the interface shows it. */
  async function warnings(): Promise<object[]> {
    await app.services.activity.flush();
    const ids: string[] = await app.database.db('operations').where({ operation: 'override' }).pluck('id');
    const logs = await Promise.all(ids.map((id) => app.api.get(`/logs/${id}`)));
    const messages = logs.flatMap(({ body }) => body.data.messages);
    return messages.filter(({ level }) => level === 'warn').map(({ facts }) => facts);
  }
});
