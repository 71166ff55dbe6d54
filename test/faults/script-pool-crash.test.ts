import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { quantile } from '../../bench/quantile.ts';
import { canary } from '../support/canaries.ts';
import { type Connected, createIntegration, readConnection, type Service } from '../support/connect.ts';
import type { ClientResponse } from '../support/http-client.ts';
import { isAlive } from '../support/is-alive.ts';
import { size } from '../support/size.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { deploy, startScriptedService } from '../support/user-scripts.ts';

const CREATION = 'post-connection-creation';
const VALIDATION = 'validate-connection';
const DELETION = 'pre-connection-deletion';
const CRASHES = size(3, 50);
const CALLERS = 3;
/** The pause between the requests of a caller, so that callers do not use up the whole machine. */
const PAUSE_MS = 10;
const WORKERS = 2;
/** A time limit for scripts that is longer than any test, so that no script exceeds it. */
const LIMIT_MS = 60_000;
const NEXT_TRY_MS = 61_000;
/**
 * Five times the second in which the pool should be whole again, because CI shares its cores. A killed run is noticed within this
 * time, too.
 */
const WHOLE_MS = 5_000;

const WRITES = `export default async (svc) => {
  const { data } = await svc.get({ endpoint: '/me' });
  await svc.updateMetadata({ done: data.name });
};`;
const WAITS = `export default async (svc) => { await svc.get({ endpoint: '/me' }); };`;

describe('processes for scripts that are killed', function () {
  this.timeout(size(60_000, 300_000));
  const service = use(this, () => {
    const env = { SVC_SCRIPT_TIMEOUT_MS: String(LIMIT_MS), SVC_SCRIPT_WORKERS: String(WORKERS) };
    return startScriptedService({ withJobs: true, env });
  });
  let stored: Connected;

  before(async () => {
    stored = await service.connect();
  });

  const pids = () => service.app.services.scriptRunner.pids();

  /**
   * Makes the provider leave a script's call without a response, kills every process of the pool, and waits until all are
   * replaced.
   */
  async function killWhile(startsScript: () => Promise<unknown>): Promise<void> {
    const calls = service.provider.ledger.of('api').length;
    service.provider.next('api', { delivery: 'hang' });
    const started = startsScript();
    await until('the script calls its provider', () => service.provider.ledger.of('api').length > calls);
    const killed = pids();
    expect(killed.length, 'processes that are killed').to.be.above(0);
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    await until('the pool is whole', () => isWhole(killed), WHOLE_MS);
    await started;
  }

  const isWhole = (killed: readonly number[]) =>
    pids().length === WORKERS + 1 && !pids().some((pid) => killed.includes(pid)) && pids().every(isAlive);

  it('fail no request; a killed run counts as crashed and is repeated, and the pool is soon complete again', async () => {
    await service.deploy(CREATION, WRITES);
    const { db } = service.app.database;
    const tookMs = await besideCallers(service.app, stored, async () => {
      for (let crash = 1; crash <= CRASHES; crash += 1) {
        const made: Connected[] = [];
        await killWhile(async () => made.push(await service.connect()));
        const { status, cause } = await service.ran(CREATION, 2 * crash - 1);
        expect({ status, cause }).to.deep.equal({ status: 'killed', cause: 'crashed' });
        const retry = () => db('script_queue').where({ failures: 1, claimed_until: null }).first('id');
        await until('the run is to be tried again', async () => (await retry()) !== undefined);
        await service.app.clock.advance(NEXT_TRY_MS, db);
        expect((await service.ran(CREATION, 2 * crash)).status).to.equal('done');
        for (const connected of made)
          expect((await readConnection(service.app, connected)).body.metadata).to.deep.equal({ done: 'Ada' });
      }
    });
    expect(tookMs.length, 'requests, each with status 200').to.be.above(CALLERS * CRASHES);
    await service.remove(CREATION);
  });

  it('end a validation at once with a message that reveals nothing, and the next validation runs', async () => {
    await service.deploy(VALIDATION, WAITS);
    const importOne = () =>
      service.app.api.post('/connections', {
        provider_config_key: 'fake',
        credentials: { type: 'OAUTH2', access_token: canary('imported token') },
      });
    await killWhile(async () => {
      const response = await importOne();
      expect(response.status, response.text).to.equal(400);
      expect(response.body.error).to.include({ code: 'connection_validation_failed' });
      expect(response.body.error.message).to.include('failed. Try again later.');
    });
    expect((await service.ran(VALIDATION)).cause).to.equal('crashed');
    await service.connect();
    expect((await service.ran(VALIDATION, 2)).status).to.equal('done');
    await service.remove(VALIDATION);
  });

  it('hold up no deletion', async () => {
    const { connectionId, key } = await service.connect();
    await service.deploy(DELETION, WAITS);
    await killWhile(async () => {
      const response = await service.app.api.delete(`/connections/${connectionId}?provider_config_key=${key}`);
      expect(response.status, response.text).to.equal(200);
    });
    expect((await service.ran(DELETION)).cause).to.equal('crashed');
    expect(await service.app.database.db('connections').where({ connection_id: connectionId }).first('id')).to.equal(undefined);
  });
});

describe('hostile scripts, one after the other and more than may run at a time', () => {
  const HOSTILE: Readonly<Record<string, string>> = {
    endless: 'for (;;);',
    // Filling the array uses the memory immediately. Otherwise, on a busy machine, the time limit might come before the memory
    // limit.
    greedy: 'const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));',
    talkative:
      'for (;;) { console.log("x".repeat(4e3)); await Promise.all(Array.from({ length: 20 }, () => svc.getMetadata())); }',
  };
  const RUNS_OF_EACH = size(1, 30);
  const SCRIPT_MS = size(8_000, 2_000);
  /**
   * The longest that a request may take: far longer than a read needs, and far shorter than if the read had to wait for a script
   * to end.
   */
  const MOST_MS = size(5_000, 1_500);

  it('fail no request, and hold up none', async function () {
    this.timeout(size(60_000, 120_000));
    const env = { SVC_SCRIPT_TIMEOUT_MS: String(SCRIPT_MS), SVC_SCRIPT_MEMORY_MB: '32', SVC_SCRIPT_WORKERS: String(WORKERS) };
    await using service = await startScriptedService({ env });
    const { app, provider } = service;
    const stored = await service.connect();
    for (const [key, body] of Object.entries(HOSTILE)) {
      await createIntegration(app, provider, { key });
      await deploy(app, { event: VALIDATION, source: `export default async (svc) => { ${body} };`, key });
    }
    const runOne = async (key: string) => {
      const credentials = { type: 'OAUTH2', access_token: canary('imported token') };
      const response = await app.api.post('/connections', { provider_config_key: key, credentials });
      expect(response.status, response.text).to.equal(400);
    };
    const tookMs = await besideCallers(app, stored, async () => {
      const all = Object.keys(HOSTILE).map(async (key) => {
        for (let run = 0; run < RUNS_OF_EACH; run += 1) await runOne(key);
      });
      await Promise.all(all);
    });
    // There are fewer processes than scripts, so a script may exceed the time limit while it waits for its turn.
    const causes = () =>
      app.database.db('script_runs').where({ status: 'killed' }).orWhere({ cause: 'timeout_waiting' }).pluck('cause');
    expect(await causes()).to.have.length(RUNS_OF_EACH * Object.keys(HOSTILE).length);
    // If the greedy script waited for too long, it never ran, so it runs now.
    if (!(await causes()).includes('memory')) await runOne('greedy');
    expect(await causes(), 'the causes of their end').to.include.members(['timeout', 'memory']);
    expect(tookMs.length).to.be.above(CALLERS * RUNS_OF_EACH);
    expect(quantile(tookMs, 0.99)).to.be.below(MOST_MS);
  });
});

/**
 * Sends various requests until the work is done, and asserts that all succeed.
 *
 * @returns the duration of each request in milliseconds
 */
async function besideCallers(service: Service, stored: Connected, work: () => Promise<void>): Promise<readonly number[]> {
  const over = new AbortController();
  const tookMs: number[] = [];
  const asked = [
    () => readConnection(service, stored),
    () => service.api.get('/connections'),
    () => service.api.get('/integrations'),
  ];
  const keepAsking = async (ask: () => Promise<ClientResponse>) => {
    while (!over.signal.aborted) {
      const started = performance.now();
      const { status, text } = await ask();
      expect(status, text).to.equal(200);
      tookMs.push(performance.now() - started);
      await pause(PAUSE_MS);
    }
  };
  const callers = Promise.all(asked.map(keepAsking));
  await Promise.all([callers, work().finally(() => over.abort())]);
  return tookMs;
}
