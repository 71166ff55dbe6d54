import { expect } from 'chai';
import { connectionsOf, logOf, wordsOf } from '../support/authorization.ts';
import { canary } from '../support/canaries.ts';
import { authorize, createSession, throughProxy } from '../support/connect.ts';
import { use } from '../support/use.ts';
import { startScriptedService, TIMEOUT_MS } from '../support/user-scripts.ts';

const EVENT = 'validate-connection';
const REFUSES = `export default async (svc) => { throw new svc.ScriptError('Only <b>paid</b>\\n plans can be connected.'); };`;
const WORDS = 'Only <b>paid</b> plans can be connected.';

describe('a script that judges a connection', function () {
  const service = use(this, startScriptedService);

  function importOne(members: Record<string, unknown> = {}) {
    return service.app.api.post('/connections', {
      provider_config_key: 'fake',
      credentials: { type: 'OAUTH2', access_token: canary('imported token') },
      ...members,
    });
  }

  it('lets a connection be created, and sees it as it would be stored', async () => {
    await service.deploy(
      EVENT,
      `export default async (svc) => {
         const connection = await svc.getConnection();
         const me = await svc.get({ endpoint: '/me' });
         svc.log('judged', { connection, me: me.status, metadata: await svc.getMetadata(), id: svc.connectionId });
       };`,
    );
    const { connectionId } = await service.connect();
    const run = await service.ran(EVENT);
    expect(run).to.include({ status: 'done', cause: null, version: 1 });
    const { facts } = run.log.find(({ message }) => message === 'judged') ?? expect.fail('it wrote nothing');
    expect(facts).to.deep.include({ me: 200, metadata: {}, id: connectionId });
    expect(facts).to.have.property('connection').that.deep.includes({ connection_id: connectionId, provider_config_key: 'fake' });
    expect(facts).to.have.property('connection').that.does.not.have.any.keys('id', 'credentials', 'created_at');
  });

  it('refuses at the end of the flow: its words are on the page, and nothing is written', async () => {
    await service.deploy(EVENT, REFUSES);
    const before = await connectionsOf(service.app);
    const page = await authorize(service.app, { token: await createSession(service.app) });
    expect(page.status).to.equal(400);
    expect(wordsOf(page)).to.include('was not accepted').and.to.include('plans can be connected.');
    expect(page.text).to.include('Only &lt;b&gt;paid&lt;/b&gt; plans');
    expect(await connectionsOf(service.app)).to.deep.equal(before);
    const { data } = (await logOf(service.app, page)).body;
    expect(data).to.include({ type: 'auth', status: 'failure' });
  });

  it('refuses an import with its words', async () => {
    await service.deploy(EVENT, REFUSES);
    const before = await connectionsOf(service.app);
    const response = await importOne();
    expect(response.status, response.text).to.equal(400);
    expect(response.body.error).to.include({ code: 'connection_validation_failed', message: WORDS });
    expect(await connectionsOf(service.app)).to.deep.equal(before);
    expect((await service.ran(EVENT)).cause, 'it is no failure of the script').to.equal('refused');
  });

  it('leaves a connection as it was when it refuses new credentials', async () => {
    await service.remove(EVENT);
    const connected = await service.connect();
    await service.deploy(EVENT, REFUSES);
    const stored = () => service.app.database.db('connections').where({ connection_id: connected.connectionId }).first();
    const before = await stored();
    const reconnect = { connection_id: connected.connectionId, integration_id: 'fake' };
    const { body } = await service.app.api.post('/connect/sessions/reconnect', reconnect);
    const page = await authorize(service.app, { token: body.data.token });
    expect(page.status).to.equal(400);
    const response = await importOne({ connection_id: connected.connectionId });
    expect(response.status).to.equal(400);
    expect(await stored()).to.deep.equal(before);
    expect((await throughProxy(service.app, connected, { path: '/me' })).status).to.equal(200);
  });

  const BROKEN: Readonly<Record<string, readonly [source: string, words: string, cause: string]>> = {
    'throws something else': ['throw new Error("internals");', 'failed. Try again later.', 'script_error'],
    'never ends': ['for (;;);', 'took too long', 'timeout'],
    'never settles': ['await new Promise(() => {});', 'took too long', 'timeout'],
    'eats memory': ['const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));', 'failed. Try again later.', 'memory'],
  };
  for (const [what, [source, words, cause]] of Object.entries(BROKEN)) {
    it(`refuses when it ${what}, within its limit and two seconds`, async () => {
      await service.deploy(EVENT, `export default async () => { ${source} };`);
      const started = performance.now();
      const response = await importOne();
      expect(performance.now() - started).to.be.below(TIMEOUT_MS + 10_000);
      expect(response.status).to.equal(400);
      expect(response.body.error.code).to.equal('connection_validation_failed');
      expect(response.body.error.message).to.include(words).and.not.to.include('internals');
      expect((await service.ran(EVENT)).cause).to.equal(cause);
    });
  }

  it('can write nothing, and its credentials are not refreshed', async () => {
    await service.deploy(
      EVENT,
      `export default async (svc) => {
         const refused = async (work) => work().then(() => 'done', (error) => error.code + ' ' + error.status);
         svc.log('tried', {
           set: await refused(() => svc.setMetadata({ a: 1 })),
           update: await refused(() => svc.updateMetadata({ a: 1 })),
           call: await refused(() => svc.get({ endpoint: '/me' })),
         });
       };`,
    );
    const tokenCalls = service.provider.ledger.of('token').length;
    const response = await importOne();
    expect(response.status, response.text).to.equal(200);
    const { facts } = (await service.ran(EVENT)).log[0] ?? expect.fail('it wrote nothing');
    expect(facts).to.deep.equal({
      set: 'not_available undefined',
      update: 'not_available undefined',
      call: 'provider_error 401',
    });
    expect(service.provider.ledger.of('token')).to.have.length(tokenCalls);
  });
});
