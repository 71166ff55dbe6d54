import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { memoryKilobytes } from '../../bench/process-tree.ts';
import { createHook, type Hook, makeHooked, signatureOf } from '../support/hooked.ts';
import { Installation, type RealService } from '../support/installation.ts';
import { size } from '../support/size.ts';
import { use } from '../support/use.ts';
import type { Flood } from './programs/flood-bodies.ts';

const MIB = 1024 * 1024;
const SENDER = fileURLToPath(new URL('programs/flood-bodies.ts', import.meta.url));
const MAX_RISE_KILOBYTES = 150 * 1024;
/** The loopback addresses of the flooding senders. The honest sender uses another one. */
const OTHERS = Array.from({ length: 8 }, (_, at) => `127.0.0.${at + 2}`);
const HONEST = '127.0.0.1';

describe('webhooks while others send large bodies (WHK-06)', function () {
  this.timeout(size(120_000, 300_000));
  const installation = use(this, Installation.open);
  const hooked = use(this, makeHooked);
  const senders: ChildProcess[] = [];
  let service: RealService;
  let hook: Hook;
  let port: number;

  before(async () => {
    service = await installation.startProcess({ ...hooked.env, SVC_ROLE: 'all', SVC_LOG_LEVEL: 'error' });
    port = Number(new URL(service.url).port);
    const { uuid } = await installation.db('environments').where({ id: 1 }).first('uuid');
    hook = await createHook(service.api, uuid);
  });
  after(() => {
    for (const sender of senders) sender.kill();
  });

  async function flood(wanted: Omit<Flood, 'port' | 'path'>): Promise<ChildProcess> {
    const child = fork(SENDER);
    senders.push(child);
    const within = { signal: AbortSignal.timeout(20_000) };
    await once(child, 'message', within);
    child.send({ ...wanted, port, path: hook.path } satisfies Flood);
    await once(child, 'message', within);
    return child;
  }

  /** Sends a signed delivery with a text of this many bytes. @returns the status of the response, and how long it took */
  function deliver(bytes: number, name: string): Promise<{ status: number; ms: number }> {
    const body = JSON.stringify({ name, text: 'x'.repeat(bytes) });
    const headers = { 'content-type': 'application/json', 'content-length': body.length, ...signatureOf(hook, body) };
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; ms: number }>();
    const begun = performance.now();
    const path = hook.path;
    const sending = httpRequest({ port, host: '127.0.0.1', localAddress: HONEST, method: 'POST', path, headers, agent: false });
    sending.on('error', reject).on('response', (response) => {
      response.resume().once('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - begun }));
    });
    sending.end(body);
    return promise;
  }

  it('cost little memory while 1,500 senders fall silent in the middle of their bodies', async () => {
    const memory = () => memoryKilobytes(service.process.pid ?? 0);
    const before = await memory();
    const silent = await flood({
      connections: 1_500,
      localAddresses: OTHERS,
      announcedBytes: 2_000_000,
      sentBytes: 300_000,
    });
    let most = 0;
    for (let look = 0; look < 30; look += 1) {
      most = Math.max(most, (await memory()) - before);
      await wait(100);
    }
    silent.kill();
    expect(most, `${Math.round(most / 1024)} MiB`).to.be.below(MAX_RISE_KILOBYTES);
  });

  it('are accepted without fail beside 200 uploads of strangers from eight other addresses', async () => {
    const flooding = await flood({ connections: 200, localAddresses: OTHERS, announcedBytes: 2_000_000, sentBytes: 2_000_000 });
    const times: number[] = [];
    for (let turn = 0; turn < size(4, 60); turn += 1) {
      const responses = await Promise.all([300_000, MIB].map((bytes) => deliver(bytes, `beside ${turn} ${bytes}`)));
      expect(responses.map(({ status }) => status)).to.deep.equal([200, 200]);
      times.push(...responses.map(({ ms }) => ms));
    }
    flooding.kill();
    console.log(`      slowest of ${times.length}: ${Math.round(Math.max(...times))} ms`);
  });

  it('are accepted when 60 of 1 MB come at once', async () => {
    const responses = await Promise.all(Array.from({ length: 60 }, (_, at) => deliver(MIB, `at once ${at}`)));
    expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([200]));
    console.log(`      the last after ${Math.round(Math.max(...responses.map(({ ms }) => ms)))} ms`);
  });
});
