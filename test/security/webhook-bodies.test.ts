import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { memoryKilobytes } from '../../bench/process-tree.ts';
import { putLoad } from '../../bench/program.ts';
import { quantile } from '../../bench/quantile.ts';
import { createHook, type Hook, makeHooked, signatureOf } from '../support/hooked.ts';
import { client } from '../support/http-client.ts';
import { Installation, type RealService } from '../support/installation.ts';
import { size } from '../support/size.ts';

const MAX_BYTES = 2 * 1024 * 1024;
const ROUNDS = size(1, 6);
/** Of each kind of probes in a round. */
const SECONDS = size(2, 5);
const MAX_RISE_KILOBYTES = size(100, 50) * 1024;
const MAX_TIMES_SLOWER = size(10, 2);
/** A machine with other work is no measure. */
const MIN_P99_MS = size(50, 0);
const PROBES_PER_SECOND = 100;
const SENDER = fileURLToPath(new URL('programs/send-bodies.ts', import.meta.url));

interface Body {
  readonly body: string | Uint8Array;
  readonly type?: string;
  readonly coding?: string;
  readonly expected: number;
}

const zeros = (bytes: number) => Buffer.alloc(bytes);
const many = (count: number, part: (at: number) => string) => Array.from({ length: count }, (_, at) => part(at));

const BODIES: Readonly<Record<string, () => Body>> = {
  nothing: () => ({ body: '', expected: 200 }),
  'one byte': () => ({ body: '0', expected: 200 }),
  'as much as may be': () => ({ body: `"${'x'.repeat(MAX_BYTES - 2)}"`, expected: 200 }),
  'one byte more': () => ({ body: zeros(MAX_BYTES + 1), expected: 413 }),
  '32 MiB': () => ({ body: zeros(32 * 1024 * 1024), expected: 413 }),
  'lists a million deep': () => ({ body: '['.repeat(1_000_000) + ']'.repeat(1_000_000), expected: 400 }),
  'objects a hundred thousand deep': () => ({ body: '{"a":'.repeat(100_000), expected: 400 }),
  'a million members': () => ({ body: `{${many(1_000_000, (at) => `"${at}":0`).join()}}`, expected: 413 }),
  'as many members as fit': () => ({ body: `{${many(200_000, (at) => `"${at}":0`).join()}}`, expected: 400 }),
  'as many empty lists as fit': () => ({ body: `[${many(600_000, () => '[]').join()}]`, expected: 400 }),
  'a hundred thousand fields': () => ({
    body: many(100_000, (at) => `f${at}=1`).join('&'),
    type: 'application/x-www-form-urlencoded',
    expected: 400,
  }),
  'a bomb': () => ({ body: gzipSync(zeros(64 * 1024 * 1024)), coding: 'gzip', expected: 415 }),
  'a bomb in a bomb': () => ({ body: gzipSync(gzipSync(zeros(64 * 1024 * 1024))), coding: 'gzip, gzip', expected: 415 }),
  'a bomb by another name': () => ({ body: deflateRawSync(zeros(16 * 1024 * 1024)), coding: 'deflate', expected: 415 }),
};

/** Beyond the row. */
const FURTHER_BODIES: Readonly<Record<string, () => Body>> = {
  'a text of a million quotes': () => ({ body: `["${'\\"'.repeat(1_000_000)}"]`, expected: 200 }),
};

describe('the body of a webhook (WHK-06)', function () {
  this.timeout(size(60_000, 300_000));
  const opened = new AsyncDisposableStack();
  let service: RealService;
  let hook: Hook;

  before(async () => {
    const installation = opened.use(await Installation.open());
    const hooked = opened.use(await makeHooked());
    service = await installation.startProcess({ ...hooked.env, SVC_ROLE: 'all', SVC_LOG_LEVEL: 'error' });
    const { uuid } = await installation.db('environments').where({ id: 1 }).first('uuid');
    hook = await createHook(service.api, uuid);
  });

  after(() => opened.disposeAsync());

  function headersOf({ body, type = 'application/json', coding }: Body): Readonly<Record<string, string>> {
    return { 'content-type': type, ...(coding !== undefined && { 'content-encoding': coding }), ...signatureOf(hook, body) };
  }

  /** Of another caller, in a process of its own. */
  async function probe(): Promise<readonly number[]> {
    const port = Number(new URL(service.url).port);
    const probes = { port, path: '/health', headers: {}, connections: 1, requestsPerSecond: PROBES_PER_SECOND };
    return (await putLoad({ ...probes, seconds: SECONDS })).latenciesMs;
  }

  for (const [name, make] of Object.entries({ ...BODIES, ...FURTHER_BODIES })) {
    it(`may be, or is refused at once: ${name}`, async () => {
      const body = make();
      const answer = await client(service.url).call('POST', hook.path, { headers: headersOf(body), body: body.body });
      expect(answer.status).to.equal(body.expected);
    });
  }

  /** While all the bodies come again and again, each when the one before was answered. */
  async function probeBesideAll(): Promise<readonly number[]> {
    const bodies = Object.values(BODIES).map((make) => make());
    const sent = bodies.map((body) => ({
      url: service.url + hook.path,
      headers: headersOf(body),
      body: Buffer.from(body.body),
    }));
    const sender = fork(SENDER, { serialization: 'advanced' });
    const within = { signal: AbortSignal.timeout(SECONDS * 10_000) };
    try {
      await once(sender, 'message', within);
      sender.send(sent);
      const latenciesMs = await probe();
      sender.send('stop');
      const [statuses]: number[][][] = await once(sender, 'message', within);
      expect(statuses?.map((ofOne) => [...new Set(ofOne)])).to.deep.equal(bodies.map(({ expected }) => [expected]));
      return latenciesMs;
    } finally {
      sender.kill();
    }
  }

  it('never fills the memory, nor holds up others', async () => {
    const memory = () => memoryKilobytes(service.process.pid ?? 0);
    const alone: number[] = [];
    const beside: number[] = [];
    const before = await memory();
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(...(await probe()));
      beside.push(...(await probeBesideAll()));
    }
    const risenKilobytes = (await memory()) - before;
    expect(quantile(beside, 0.99)).to.be.below(Math.max(quantile(alone, 0.99) * MAX_TIMES_SLOWER, MIN_P99_MS));
    expect(risenKilobytes).to.be.below(MAX_RISE_KILOBYTES);
  });
});
