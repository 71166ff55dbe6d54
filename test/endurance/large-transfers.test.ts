import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { quantile } from '../../bench/quantile.ts';
import { type Connected, connect } from '../support/connect.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation, type RealService } from '../support/installation.ts';
import { size } from '../support/size.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { MemoryWatch } from './load/memory-watch.ts';

const MIB = 1_024 * 1_024;
const LARGE_BYTES = size(128, 2_048) * MIB;
const WARM_UP_BYTES = 32 * MIB;
const MAX_MORE_MIB = 50;
const BLOCK = Buffer.alloc(64 * 1_024, 'x');

const READERS = 200;
/** More than all sockets and buffers on the way can hold, so that the service has to wait for the reader. */
const READ_BYTES = 64 * MIB;
const READ_EVERY_MS = 250;
const READ_SECONDS = size(5, 60);
/** Half a MiB for each reader. */
const MAX_READERS_MIB = 100;
const OTHER_CALLS_PER_SECOND = 10;
/** What half of the other calls may take. The readers and the provider are in the process that measures. */
const FAST_MS = 1_000;
const FREED_WITHIN_MS = 5_000;

describe('large bodies through the proxy', function () {
  this.timeout(size(60_000, 600_000));
  const installation = use(this, () => Installation.open());
  const provider: FakeProvider = use(this, () => startFakeProvider());
  let service: RealService;
  let connected: Connected;
  let memory: MemoryWatch;

  before(async () => {
    service = await installation.startProcess({ SVC_LOG_LEVEL: 'info' });
    connected = await connect(service, provider);
    memory = new MemoryWatch(service.process.pid ?? 0);
    await upload(WARM_UP_BYTES);
    await download(WARM_UP_BYTES);
  });

  after(() => memory[Symbol.dispose]());

  for (const [direction, transfer] of [['up', upload] as const, ['down', download] as const])
    it(`passes ${LARGE_BYTES / MIB} MiB ${direction} with less than ${MAX_MORE_MIB} MiB more memory`, async () => {
      const before = memory.now;
      memory.takeMost();
      const begunAt = performance.now();
      await transfer(LARGE_BYTES);
      const more = memory.takeMost() - before;
      const rate = LARGE_BYTES / MIB / ((performance.now() - begunAt) / 1_000);
      console.log(`${LARGE_BYTES / MIB} MiB ${direction}: ${more.toFixed(0)} MiB more memory, ${rate.toFixed(0)} MiB/s`);
      expect(more, 'MiB').to.be.below(MAX_MORE_MIB);
    });

  it(`serves ${READERS} slow readers in bounded memory, others fast, and frees the provider when the readers leave`, async () => {
    const before = memory.now;
    memory.takeMost();
    await using opened = new AsyncDisposableStack();
    const open = async () => opened.use(await SlowReader.open(call('GET', `/big/${READ_BYTES}`)));
    const readers = await Promise.all(Array.from({ length: READERS }, open));
    const durations = await otherCalls(READ_SECONDS);
    const more = memory.takeMost() - before;
    const read = readers.reduce((sum, reader) => sum + reader.bytes, 0) / MIB;
    const [middle, most] = [0.5, 0.99].map((share) => quantile(durations, share));
    console.log(
      `${READERS} slow readers, which read ${read.toFixed(0)} of ${(READERS * READ_BYTES) / MIB} MiB: ` +
        `${more.toFixed(0)} MiB more memory; other calls: median ${middle?.toFixed(0)} ms, 99 % within ${most?.toFixed(0)} ms`,
    );
    expect(more, 'MiB').to.be.below(MAX_READERS_MIB);
    expect(middle, 'milliseconds').to.be.below(FAST_MS);

    const served = provider.ledger.entries.filter(({ target }) => target === `/api/big/${READ_BYTES}`);
    expect(served).to.have.length(READERS);
    let sending = READERS;
    for (const { ended } of served) void ended.then(() => (sending -= 1));
    await wait(0);
    expect(sending, 'responses that the provider is still sending').to.equal(READERS);
    await opened.disposeAsync();
    await until('the provider has no open response', () => sending === 0, FREED_WITHIN_MS);
  });

  async function upload(bytes: number): Promise<void> {
    const sending = call('POST', '/echo', { 'content-length': String(bytes) });
    const answered = once(sending, 'response');
    await pipeline(Readable.from(blocks(bytes)), sending);
    const [response]: [IncomingMessage] = (await answered) as [IncomingMessage];
    expect(await json(response)).to.have.property('body_bytes', bytes);
  }

  async function download(bytes: number): Promise<void> {
    const [response] = (await once(call('GET', `/big/${bytes}`).end(), 'response')) as [IncomingMessage];
    let received = 0;
    for await (const chunk of response) received += chunk.length;
    expect(received).to.equal(bytes);
  }

  /** Returns the durations of small calls that are sent at an even rate, in milliseconds. */
  async function otherCalls(seconds: number): Promise<readonly number[]> {
    const calls: Promise<number>[] = [];
    for (let sent = 0; sent < seconds * OTHER_CALLS_PER_SECOND; sent += 1) {
      calls.push(timed());
      await wait(1_000 / OTHER_CALLS_PER_SECOND);
    }
    return Promise.all(calls);
  }

  async function timed(): Promise<number> {
    const begunAt = performance.now();
    const { status } = await service.api.get('/proxy/me', { headers: identity() });
    expect(status).to.equal(200);
    return performance.now() - begunAt;
  }

  function identity() {
    return { 'provider-config-key': connected.key, 'connection-id': connected.connectionId };
  }

  function call(method: string, path: string, headers: Readonly<Record<string, string>> = {}): ClientRequest {
    const authorization = `Bearer ${installation.env.SVC_BOOTSTRAP_API_KEY}`;
    return request(`${service.url}/proxy${path}`, {
      method,
      agent: false,
      headers: { authorization, ...identity(), ...headers },
    });
  }
});

/** Reads a response a block at a time, with pauses. */
class SlowReader implements Disposable {
  bytes = 0;
  readonly #response: IncomingMessage;
  readonly #timer: NodeJS.Timeout;

  private constructor(response: IncomingMessage) {
    // Once the reader has left, or the service has ended, the connection is reset.
    this.#response = response.on('error', () => undefined);
    this.#timer = setInterval(() => {
      this.bytes += response.read()?.length ?? 0;
    }, READ_EVERY_MS);
  }

  static async open(sending: ClientRequest): Promise<SlowReader> {
    const [response] = (await once(sending.end(), 'response')) as [IncomingMessage];
    expect(response.statusCode).to.equal(200);
    return new SlowReader(response);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#response.destroy();
  }
}

function* blocks(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= BLOCK.length) yield BLOCK.subarray(0, Math.min(left, BLOCK.length));
}
