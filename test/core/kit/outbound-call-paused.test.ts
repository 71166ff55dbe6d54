import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { createOutbound } from '../../../core/kit/outbound.ts';
import { dialSocket } from '../../../core/kit/outbound-dial.ts';
import { outboundFault } from '../../support/outbound-fault.ts';
import { rawServer } from '../../support/raw-tcp.ts';
import { Program } from '../db/programs/program.ts';

const TIMEOUT_MS = 2_000;
const LARGE = 'x'.repeat(900 * 1024);

/** Bytes that the stopped process finds in its socket when it wakes up after its deadline, and how its call ends. */
const ARRIVED: Readonly<Record<string, { readonly sent: string; readonly ends: string }>> = {
  'a whole response': { sent: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', ends: '200 2' },
  'a response of many pieces': {
    sent: `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${(LARGE.length).toString(16)}\r\n${LARGE}\r\n0\r\n\r\n`,
    ends: `200 ${LARGE.length}`,
  },
  'half a response': { sent: 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nok', ends: 'timeout' },
  nothing: { sent: '', ends: 'timeout' },
};

describe('a bounded call of a process that is stopped past the deadline', () => {
  const ended = new Map<string, string>();

  // All calls are paused at the same time, which saves time because each of them only waits.
  before(() =>
    Promise.all(Object.entries(ARRIVED).map(async ([what, { sent }]) => ended.set(what, await endOfPausedCall(sent)))),
  );

  for (const [what, { ends }] of Object.entries(ARRIVED)) {
    it(`ends with ${ends} when it finds ${what}`, () => expect(ended.get(what)).to.equal(ends));
  }

  it('sends nothing when the connection is established only after the deadline', async () => {
    await using server = await rawServer('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    const late = Promise.withResolvers<void>();
    await using outbound = createOutbound({
      allow: ['127.0.0.1'],
      dial: async (target) => {
        await late.promise;
        return dialSocket({ ...target, signal: AbortSignal.timeout(5_000) });
      },
    });
    const call = outbound.call(`http://127.0.0.1:${server.port}/`, { method: 'POST', body: 'a=b', timeoutMs: 50 });
    expect(await outboundFault(call)).to.include({ code: 'timeout', beforeSending: true });
    late.resolve();
    await wait(100);
    expect(Buffer.concat([...server.received]).toString()).to.equal('');
  });
});

async function endOfPausedCall(sent: string): Promise<string> {
  const asked = Promise.withResolvers<Socket>();
  await using server = await rawServer((socket) => void socket.once('data', () => asked.resolve(socket)));
  const url = `http://127.0.0.1:${server.port}/token`;
  await using program = new Program('../../kit/programs/one-call', { url, timeoutMs: TIMEOUT_MS });
  const socket = await asked.promise;
  program.process.kill('SIGSTOP');
  if (sent !== '') socket.write(sent);
  // The process stays stopped for twice the timeout.
  await wait(2 * TIMEOUT_MS);
  expect(program.process.exitCode).to.equal(null);
  program.process.kill('SIGCONT');
  // Without `await`, the program would be disposed of before it has printed the line.
  return await program.nextLine();
}
