import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { memoryKilobytes } from '../../bench/process-tree.ts';
import { putLoad } from '../../bench/program.ts';
import { quantile } from '../../bench/quantile.ts';
import { createHook, type Hook, hookSender, makeHooked } from '../support/hooked.ts';
import { client } from '../support/http-client.ts';
import { Installation, type RealService } from '../support/installation.ts';
import { size } from '../support/size.ts';

const MAX_BYTES = 2 * 1024 * 1024;
/** Of each kind of probes. */
const SECONDS = size(2, 20);
/** Once all that a service at work has was taken from the system, which needs the longer time. */
const MAX_RISE_KILOBYTES = size(150, 50) * 1024;
/** What the collector leaves lying about while two megabytes come many times a second. */
const MAX_AT_WORK_KILOBYTES = 150 * 1024;
const MAX_TIMES_SLOWER = size(10, 2);
/** One collection of garbage, or two ticks of the kernel. A machine with other work is no measure: five times as much there. */
const MIN_P99_MS = size(5, 1) * 10;
const PROBES_PER_SECOND = 100;

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

let ordinaryOnes = 0;
/** Another one each time, as the same again would not be stored. */
const ORDINARY: Body = {
  get body() {
    ordinaryOnes += 1;
    return JSON.stringify({ number: ordinaryOnes, text: 'x'.repeat(1_000) });
  },
  expected: 200,
};

describe('the body of a webhook (WHK-06)', function () {
  this.timeout(size(60_000, 300_000));
  const opened = new AsyncDisposableStack();
  let service: RealService;
  let hook: Hook;

  before(async () => {
    const installation = opened.use(await Installation.open());
    const hooked = opened.use(await makeHooked());
    service = await installation.startProcess({ ...hooked.env, SVC_LOG_LEVEL: 'error' });
    const { uuid } = await installation.db('environments').where({ id: 1 }).first('uuid');
    hook = await createHook(service.api, uuid);
  });

  after(() => opened.disposeAsync());

  async function send({ body, type = 'application/json', coding }: Body): Promise<number> {
    const headers = { 'content-type': type, ...(coding !== undefined && { 'content-encoding': coding }) };
    return (await hookSender(client(service.url), hook)(body, { headers })).status;
  }

  /** Of another caller, in a process of its own: what is sent here would hold it up. */
  async function probeP99(): Promise<number> {
    const port = Number(new URL(service.url).port);
    const probes = { port, path: '/health', headers: {}, connections: 1, requestsPerSecond: PROBES_PER_SECOND };
    return quantile((await putLoad({ ...probes, seconds: SECONDS })).latenciesMs, 0.99);
  }

  for (const [name, make] of Object.entries(BODIES)) {
    it(`may be, or is refused at once: ${name}`, async () => {
      const body = make();
      expect(await send(body)).to.equal(body.expected);
    });
  }

  /** Of another caller, while these are sent again and again, each when the one before was answered. */
  async function p99Beside(bodies: readonly Body[]): Promise<number> {
    let isOver = false;
    const probe = probeP99().finally(() => {
      isOver = true;
    });
    while (!isOver) for (const body of bodies) expect(await send(body)).to.equal(body.expected);
    return probe;
  }

  it('never fills the memory, nor holds up others', async () => {
    const memory = () => memoryKilobytes(service.process.pid ?? 0);
    const besideOrdinary = await p99Beside([ORDINARY]);
    const atWork = await memory();
    const besideThese = await p99Beside(Object.values(BODIES).map((make) => make()));
    expect(besideThese).to.be.below(Math.max(besideOrdinary * MAX_TIMES_SLOWER, MIN_P99_MS));
    expect((await memory()) - atWork).to.be.below(MAX_AT_WORK_KILOBYTES);
    // At the same work as before: how much garbage lies about just then would be chance.
    await p99Beside([ORDINARY]);
    expect((await memory()) - atWork).to.be.below(MAX_RISE_KILOBYTES);
  });
});
