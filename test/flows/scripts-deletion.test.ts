import { expect } from 'chai';
import { eraseMarked } from '../../core/connect/deletion/erase-marked.ts';
import { setVariable } from '../../core/tenants/environments/variables.ts';
import { connectionsOf } from '../support/authorization.ts';
import { type Connected, throughProxy } from '../support/connect.ts';
import { size } from '../support/size.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { startScriptedService, TIMEOUT_MS } from '../support/user-scripts.ts';

const EVENT = 'pre-connection-deletion';
/** The script's time limit, and ten seconds more because the machine may be busy. */
const MOST_MS = TIMEOUT_MS + 10_000;
const NEVER = new AbortController().signal;
const EACH = size(1, 20);

describe('a script before a deletion', function () {
  const service = use(this, startScriptedService);

  /** Deletes a connection. @returns how long the response took, in milliseconds */
  async function remove({ connectionId, key }: Connected): Promise<number> {
    const started = performance.now();
    const response = await service.app.api.delete(`/connections/${connectionId}?provider_config_key=${key}`);
    expect(response.status, response.text).to.equal(200);
    const took = performance.now() - started;
    const row = await service.app.database.db('connections').where({ connection_id: connectionId }).first('id');
    expect(row, 'the row of the connection').to.equal(undefined);
    return took;
  }

  it('uses the credentials, which nobody else can use by then, and reads the connection as it was', async () => {
    await service.deploy(
      EVENT,
      `export default async (svc) => {
         const me = await svc.get({ endpoint: '/me' });
         await svc.setMetadata({ a: 1 });
         const late = await svc.updateMetadata({ b: 2 });
         const read = await svc.getMetadata();
         const variables = [await svc.getVariable('REGION'), await svc.getVariable('NONE'),
           await svc.getVariable(7).catch((error) => error.code)];
         const { webhook_url, webhook_secret } = await svc.getIntegration();
         const { connection_id } = await svc.getConnection();
         svc.log('last', { status: me.status, late, read, variables, connection: connection_id, webhook_url, webhook_secret });
       };`,
    );
    await setVariable(service.app.services, 1, { name: 'REGION', value: 'eu' });
    const connected = await service.connect();
    service.provider.next('api', { delivery: 'hang' });
    const removed = remove(connected);
    await until('the script calls', () => service.provider.ledger.of('api').length > 0);
    expect((await throughProxy(service.app, connected, { path: '/me' })).status).to.equal(404);
    await removed;
    const again = await service.connect();
    await remove(again);
    const { status, log } = await service.ran(EVENT, 2);
    expect(status).to.equal('done');
    const { facts } = log[0] ?? expect.fail('it wrote nothing');
    const metadata = { a: 1, b: 2 };
    expect(facts).to.deep.include({ status: 200, late: metadata, read: metadata, connection: again.connectionId });
    expect(facts).to.deep.include({ variables: ['eu', null, 'invalid_arguments'] });
    expect(log.slice(1).map(({ message }) => message)).to.deep.equal([
      'the connection is being deleted, so metadata written by the script is discarded',
    ]);
  });

  it('uses refreshed credentials if the stored ones have expired, and the provider gets one refresh', async () => {
    await service.deploy(
      EVENT,
      `export default async (svc) => void (await svc.get({ endpoint: '/me' }), await svc.get({ endpoint: '/me' }));`,
    );
    const connected = await service.connect();
    await service.app.clock.advance(2 * 3_600_000, service.app.database.db);
    const before = service.provider.ledger.of('token').length;
    await remove(connected);
    expect((await service.ran(EVENT)).status).to.equal('done');
    expect(service.provider.ledger.of('token')).to.have.length(before + 1);
  });

  const BROKEN: Readonly<Record<string, readonly [source: string, cause: string]>> = {
    loops: ['for (;;);', 'timeout'],
    'never settles': ['await new Promise(() => {});', 'timeout'],
    'eats memory': ['const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));', 'memory'],
    throws: ['throw new svc.ScriptError("no");', 'script_error'],
    'refuses by a broken call': ['await svc.get({ endpoint: "/status/500" });', 'script_error'],
    'floods its log': ['for (;;) console.log("x".repeat(1e5));', ''],
  };
  for (const [what, [source, cause]] of Object.entries(BROKEN)) {
    it(`SBX-04: a script that ${what} keeps nothing alive, and is waited for at most two seconds beyond its limit`, async () => {
      await service.deploy(EVENT, `export default async (svc) => { ${source} };`);
      for (let round = 0; round < EACH; round += 1) {
        const connected = await service.connect();
        expect(await remove(connected)).to.be.below(MOST_MS);
      }
      const { status, cause: died } = await service.ran(EVENT);
      expect(status).not.to.equal('done');
      if (cause !== '') expect(died).to.equal(cause);
    });
  }

  it('SBX-04: a pool that is exhausted holds up no deletion', async () => {
    await service.deploy(EVENT, 'export default async () => { for (;;); };');
    const all: Connected[] = [];
    while (all.length < 8) all.push(await service.connect());
    const took = await Promise.all(all.map((one) => remove(one)));
    expect(Math.max(...took)).to.be.below(MOST_MS);
    const runs = await service.runs(EVENT);
    const causes = new Set(runs.slice(0, 8).map(({ cause }) => cause));
    expect([...causes], 'some never had their turn').to.include.members(['timeout', 'timeout_waiting']);
  });

  it('SBX-04: a script store that does not answer holds up no deletion', async () => {
    const connected = await service.connect();
    const { db } = service.app.database;
    const lock = await db.transaction();
    try {
      await lock.raw('lock table scripts, script_versions in access exclusive mode');
      expect(await remove(connected)).to.be.within(TIMEOUT_MS, MOST_MS);
    } finally {
      await lock.rollback();
    }
  });

  it('SBX-04: a script that cannot be read holds up no deletion', async () => {
    const connected = await service.connect();
    const { db } = service.app.database;
    await db('script_versions').update({ compiled: Buffer.from('nothing that opens') });
    expect(await remove(connected)).to.be.below(MOST_MS);
  });

  it('runs for each connection of an integration that is deleted, from a job, and then all is erased', async () => {
    await service.deploy(
      EVENT,
      `export default async (svc) => void (await svc.delete({ endpoint: '/me', params: { id: svc.connectionId } }));`,
    );
    const all = [await service.connect(), await service.connect(), await service.connect()];
    const { db } = service.app.database;
    const { id } = await db('integrations').where({ unique_key: 'fake' }).first('id');
    const before = service.provider.ledger.of('api').length;
    const response = await service.app.api.delete('/integrations/fake');
    expect(response.status, response.text).to.be.oneOf([200, 204]);
    expect(await connectionsOf(service.app)).to.have.length(0);
    expect(service.provider.ledger.of('api')).to.have.length(before);
    await eraseMarked(service.app.services, { environmentId: 1, integrationId: id }, NEVER);
    const ids = service.provider.ledger
      .of('api')
      .slice(before)
      .map(({ target }) => new URL(target, 'http://a').searchParams.get('id'));
    expect(ids).to.include.members(all.map(({ connectionId }) => connectionId));
    expect(await db('integrations').where({ id }).first('id')).to.equal(undefined);
    expect(await db('scripts').first('id')).to.equal(undefined);
  });
});
