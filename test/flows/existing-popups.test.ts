import { once } from 'node:events';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { startApp, type TestApp } from '../support/app.ts';
import { connectionsOf } from '../support/authorization.ts';
import { createIntegration, createSession, readConnection } from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { AuthError, ExistingFrontend } from '../support/existing-frontend.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { use } from '../support/use.ts';
import { type Page, WebWalker } from '../support/web-walker.ts';

const PAGE = 'https://app.example';

describe('the window that an existing frontend opens', function () {
  const provider = use(this, startFakeProvider);
  const database = use(this, cloneDatabase);
  const env = { ...newServiceEnv(), SVC_CLIENT_PREFIX: 'Acme' };
  const one = use(this, () => startApp({ env: env, database }));
  const two = use(this, () => startApp({ env: { ...env, SVC_BASE_URL: one.url }, database }));
  const plain = use(this, () => startApp());

  before(() => createIntegration(one, provider));

  async function frontend(app: TestApp = one, body: object = {}): Promise<ExistingFrontend> {
    const connectSessionToken = await createSession(one, { ...body });
    return new ExistingFrontend({ host: app.url, origin: PAGE, connectSessionToken });
  }

  /** Returns the browser of a person who agrees to everything; `shown` resolves to its last page. */
  const person = () => {
    const walker = new WebWalker();
    const { promise: shown, resolve, reject } = Promise.withResolvers<Page>();
    const visit = async (url: string) =>
      walker.follow(url).then((page) => ('stoppedAt' in page ? reject(new Error(page.stoppedAt)) : resolve(page)), reject);
    return { visit, shown };
  };

  async function refusal(result: Promise<unknown>): Promise<AuthError> {
    const error = await result.then(
      () => expect.fail('it succeeded'),
      (cause) => cause,
    );
    expect(error).to.be.instanceOf(AuthError);
    return error;
  }

  it('reports its connection to the page', async () => {
    const client = await frontend();
    const { visit, shown } = person();
    const made = await client.authInPopup('fake', { visit, userScope: ['read'] });
    expect((await shown).status).to.equal(200);
    expect(made).to.include({ providerConfigKey: 'fake', isPending: false });
    expect((await readConnection(one, { connectionId: made.connectionId, key: 'fake' })).status).to.equal(200);
  });

  it('reports to the page on one instance what has ended on another', async () => {
    const client = await frontend();
    const visit = (url: string) => person().visit(url);
    const made = await client.authInPopup('fake', { visit, socketHost: two.url });
    expect((await connectionsOf(one)).map(({ connection_id: id }) => id)).to.include(made.connectionId);
  });

  it('reports to the page that the user did not agree', async () => {
    provider.next('authorize', { members: { error: 'access_denied', code: undefined } });
    const client = await frontend();
    const error = await refusal(client.authInPopup('fake', { visit: person().visit }));
    expect(error.type).to.equal('callback_err');
    expect(error.message).to.match(/^You didn’t allow access/);
  });

  it('connects when its address is visited twice', async () => {
    const client = await frontend();
    const walker = new WebWalker();
    const visit = async (url: string) => {
      await walker.visit(url);
      await walker.follow(url);
    };
    const made = await client.authInPopup('fake', { visit });
    expect((await connectionsOf(one)).map(({ connection_id: id }) => id)).to.include(made.connectionId);
  });

  for (const [where, host] of Object.entries({ 'the same instance': () => one.url, 'another instance': () => two.url })) {
    it(`reports to the page on ${where} why no flow could begin`, async () => {
      const visit = (url: string) => person().visit(url);
      const unknown = await refusal((await frontend()).authInPopup('nothing', { visit, socketHost: host() }));
      expect(unknown.type).to.equal('provider_config_err');
      const over = new ExistingFrontend({ host: one.url, origin: PAGE, connectSessionToken: await ended() });
      const expired = await refusal(over.authInPopup('fake', { visit, socketHost: host() }));
      expect(expired).to.include({ type: 'unknown_err' });
      expect(expired.message).to.match(/session/);
    });
  }

  async function ended(): Promise<string> {
    const token = await createSession(one);
    await one.client(token).delete('/connect/session');
    return token;
  }

  it('reports to no other socket, and closes the socket after the result', async () => {
    const other = new WebSocket(`${one.url.replace('http', 'ws')}/`);
    const heard: string[] = [];
    other.on('message', (data) => heard.push(String(data)));
    await (await frontend()).authInPopup('fake', { visit: person().visit });
    other.close();
    await once(other, 'close');
    expect(heard).to.have.length(1);
    expect(JSON.parse(heard[0] ?? '')).to.have.all.keys('message_type', 'ws_client_id');
  });

  it('creates its connection even if the page is gone', async () => {
    const before = (await connectionsOf(one)).length;
    const client = await frontend();
    const { visit, shown } = person();
    const socket = new WebSocket(`${one.url.replace('http', 'ws')}/`);
    const [first] = await once(socket, 'message');
    socket.terminate();
    await once(socket, 'close');
    const { ws_client_id: id } = JSON.parse(String(first));
    await visit(client.popupAddress('fake', id));
    expect((await shown).status).to.equal(200);
    expect(await connectionsOf(one)).to.have.length(before + 1);
  });

  it('closes sockets that send more than a little', async () => {
    const socket = new WebSocket(`${one.url.replace('http', 'ws')}/`);
    await once(socket, 'message');
    socket.send('x'.repeat(2_000));
    const [code] = await once(socket, 'close');
    expect(code).to.equal(1009);
    const talker = new WebSocket(`${one.url.replace('http', 'ws')}/`);
    await once(talker, 'message');
    for (let count = 0; count < 20; count += 1) talker.send('hello');
    expect((await once(talker, 'close'))[0]).to.equal(1008);
  });

  it('limits the sockets of one address', async () => {
    const sockets = Array.from({ length: 40 }, () => new WebSocket(`${two.url.replace('http', 'ws')}/`));
    const outcomes = await Promise.all(sockets.map((socket) => once(socket, 'open').then(() => 'open', String)));
    const refused = outcomes.filter((outcome) => outcome !== 'open');
    expect(refused.length).to.be.at.least(8);
    for (const outcome of refused) expect(outcome).to.contain('429');
    expect(sockets.length - refused.length).to.be.above(20);
    for (const socket of sockets) socket.terminate();
    await Promise.all(sockets.map((socket) => socket.readyState === WebSocket.CLOSED || once(socket, 'close')));
  });

  it('does not delay the shutdown of an instance', async () => {
    const ending = await startApp({ env: { SVC_CLIENT_PREFIX: 'Acme' } });
    const socket = new WebSocket(`${ending.url.replace('http', 'ws')}/`);
    await once(socket, 'message');
    const closed = once(socket, 'close');
    await ending[Symbol.asyncDispose]();
    expect((await closed)[0]).to.equal(1001);
  });

  it('has no sockets if no prefix is configured', async () => {
    const socket = new WebSocket(`${plain.url.replace('http', 'ws')}/`);
    const [error] = await once(socket, 'error');
    expect(String(error)).to.contain('302');
  });
});
