import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { connect, connectAgain } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation } from '../support/installation.ts';
import { isAlive } from '../support/is-alive.ts';
import { until } from '../support/until.ts';
import { deploy } from '../support/user-scripts.ts';

const EVENT = 'post-connection-creation';
const LEASE_SECONDS = 31;
const SOURCE = `export default async (svc) => {
  await svc.get({ endpoint: '/me' });
  await svc.updateMetadata({ done: true });
};`;

describe('an instance that is killed while a script runs', () => {
  it('leaves no script process behind, and another instance runs the script again', async function () {
    this.timeout(90_000);
    await using provider = await startFakeProvider();
    await using installation = await Installation.open();
    const { db } = installation;
    const first = await installation.startProcess({ SVC_ROLE: 'all' });
    await connect(first, provider);
    await deploy(first, { event: EVENT, source: SOURCE });
    provider.next('api', { delivery: 'hang' });
    const { connectionId } = await connectAgain(first);
    await until('the script calls its provider', () => provider.ledger.of('api').length === 1);
    const children = childrenOf(first.process.pid);
    expect(children, 'processes for scripts').not.to.deep.equal([]);
    const { pid } = first.process;
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    await first.process.exit;
    await until('its processes have gone', () => children.every((child) => !isAlive(child)));
    expect(await db('script_runs').first('id'), 'the killed run has no result').to.equal(undefined);

    const second = await installation.startProcess({ SVC_ROLE: 'all' });
    expect((await db('script_queue').first('claimed_until')).claimed_until, 'the victim’s lease').to.be.above(new Date());
    await installation.advance(LEASE_SECONDS);
    await until(
      'the script is done',
      async () => (await db('script_runs').where({ connection_id: connectionId }).first('id')) !== undefined,
      20_000,
    );
    const { metadata } = await db('connections').where({ connection_id: connectionId }).first('metadata');
    expect(metadata).to.deep.equal({ done: true });
    expect(await db('script_runs').pluck('status')).to.deep.equal(['done']);
    expect(second.process.output.stderr).to.equal('');
  });
});

function childrenOf(pid: number | undefined): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}
