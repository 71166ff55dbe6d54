import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import { canary } from '../../support/canaries.ts';
import { type LoopbackServer, serve } from '../../support/loopback-server.ts';
import { CALL_HEADERS, type ProxyHarness, startProxy } from '../../support/proxy-harness.ts';
import { send } from '../../support/raw-http.ts';
import { until } from '../../support/until.ts';

const MIB = 1024 * 1024;
/** The number of bodies of 1 MiB that the service holds for one address: a quarter of 64 MiB. */
const FIT = 16;
const SHORT_WAIT_MS = 50;

const session = {
  type: 'AWS_SIGV4',
  roleArn: 'arn:aws:iam::123456789012:role/ours',
  accessKeyId: 'ASIAEXAMPLE',
  secretAccessKey: canary('held bodies: secret access key'),
  sessionToken: canary('held bodies: session token'),
  receivedAt: new Date(0).toISOString(),
};

/** A provider that holds its responses back until the test releases them, unless `isPrompt` is set. */
interface Slow {
  isPrompt: boolean;
  readonly upstream: LoopbackServer;
  readonly waiting: (() => void)[];
  arrived(count: number): Promise<void>;
  respondToAll(): void;
}

async function startSlow(): Promise<Slow> {
  const waiting: (() => void)[] = [];
  let onArrival: () => void = () => undefined;
  const slow: Slow = {
    isPrompt: false,
    upstream: await serve((request, response) => {
      request.resume().on('end', () => {
        if (slow.isPrompt) response.end('done');
        else waiting.push(() => response.end('done'));
        onArrival();
      });
    }),
    waiting,
    async arrived(count) {
      while (waiting.length < count) {
        const next = Promise.withResolvers<void>();
        onArrival = next.resolve;
        await next.promise;
      }
    },
    respondToAll: () => {
      for (const respond of waiting.splice(0)) respond();
    },
  };
  return slow;
}

describe('bodies that are held in memory to be signed', function () {
  this.timeout(30_000);
  let slow: Slow;
  let proxy: ProxyHarness;

  beforeEach(async () => {
    slow = await startSlow();
    proxy = await startProxy({
      proxy: { base_url: slow.upstream.url },
      definition: { auth_mode: 'AWS_SIGV4', aws_sigv4: { service: 'sqs', region: 'eu-central-1' } },
      credentials: session,
      bodyWaitMs: SHORT_WAIT_MS,
    });
  });
  afterEach(async () => {
    slow.respondToAll();
    await proxy[Symbol.asyncDispose]();
    await slow.upstream[Symbol.asyncDispose]();
  });

  function post({ bytes = MIB, chunked = false }: { bytes?: number; chunked?: boolean } = {}) {
    const body = Buffer.alloc(bytes, 'x');
    return send({ port: proxy.edge.port, method: 'POST', path: '/proxy/', headers: CALL_HEADERS, body, chunked });
  }

  for (const chunked of [false, true]) {
    it(`count against the budget of bodies until the response arrives${chunked ? ', even in chunks' : ''}`, async () => {
      const all = () => Array.from({ length: FIT }, () => post({ chunked }));
      const calls = all();
      await slow.arrived(FIT);
      const further = await post({ chunked });
      expect(further.status).to.equal(503);
      expect(further.body.toString()).to.include('"overloaded"');
      expect(slow.waiting).to.have.length(FIT);
      slow.isPrompt = true;
      slow.respondToAll();
      expect((await Promise.all(calls)).map(({ status }) => status)).to.deep.equal(Array(FIT).fill(200));
      // A sender may get its response before the service has released the memory of its body.
      await until('they are given back', async () => (await Promise.all(all())).every(({ status }) => status === 200));
    });
  }

  it('stop counting when their senders leave or send too much', async () => {
    slow.isPrompt = true;
    const begun = Array.from({ length: FIT }, () => {
      const headers = { ...CALL_HEADERS, 'content-length': MIB };
      const request = httpRequest({ port: proxy.edge.port, method: 'POST', path: '/proxy/', headers, agent: false });
      request.on('error', () => undefined).write(Buffer.alloc(1));
      return request;
    });
    await until('the bodies that began hold all', async () => (await post()).status === 503);
    for (const request of begun) request.destroy();
    await until('they are given back', async () => (await post()).status === 200);
    for (let count = 0; count < FIT; count += 1)
      expect(await post({ bytes: 2 * MIB, chunked: true })).to.include({ status: 413 });
    expect(await post()).to.include({ status: 200 });
  });
});
