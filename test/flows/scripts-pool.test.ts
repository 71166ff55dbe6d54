import { expect } from 'chai';
import { connectAgain, throughProxy } from '../support/connect.ts';
import { use } from '../support/use.ts';
import { startScriptedService } from '../support/user-scripts.ts';

const WAITS = 'export default async () => { await new Promise(() => {}); };';
const WORKS = 'export default async () => 1;';

describe('the processes of scripts', function () {
  const service = use(this, () => startScriptedService({ env: { SVC_SCRIPT_TIMEOUT_MS: '10000' } }));

  it('are none before the first script', () => {
    expect(service.app.services.scriptRunner.pids()).to.deep.equal([]);
  });

  it('fail only requests that wait for them when they crash, and are replaced for the next script', async () => {
    const connected = await service.connect();
    await service.deploy('validate-connection', WAITS);
    const waiting = connectAgain(service.app).catch((error: Error) => error.message);
    const { scriptRunner } = service.app.services;
    while (scriptRunner.pids().length < 3) await service.app.client().get('/health');
    const statuses: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      for (const pid of scriptRunner.pids()) killIfThere(pid);
      statuses.push((await throughProxy(service.app, connected, { path: '/me' })).status);
      statuses.push((await service.app.api.get('/connections')).status);
      statuses.push((await service.app.client().get('/ready')).status);
    }
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(await waiting, 'who waited is told')
      .to.include('400')
      .and.to.include('failed. Try again later.');
    expect((await service.ran('validate-connection')).cause).to.be.oneOf(['crashed', 'unavailable']);

    await service.deploy('validate-connection', WORKS);
    await connectAgain(service.app);
    expect((await service.ran('validate-connection')).status).to.equal('done');
  });
});

/** Kills a process if it exists; the list of processes may still contain one that has died. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    expect(error).to.include({ code: 'ESRCH' });
  }
}
