import { expect } from 'chai';
import { FrameReader, frame } from '../../scripts-runtime/protocol.ts';
import { openScripts, until } from '../support/script-host.ts';

const MAX_RISE_BYTES = 30 * 1024 * 1024;

/** Builds a child program that reports that it is ready, and responds to a run with messages that the real child never sends. */
const childThat = (responses: string, isolateMs = 0) => ({
  guest: '{}',
  arguments: [
    '--eval',
    `const frame = (header, body = '') => {
      const head = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
      const bytes = Buffer.from(body);
      const lengths = Buffer.alloc(8);
      lengths.writeUInt32LE(head.length, 0); lengths.writeUInt32LE(bytes.length, 4);
      return Buffer.concat([lengths, head, bytes]);
    };
    const send = (bytes) => process.stdout.write(bytes);
    let isStarted = false;
    process.stdin.on('data', () => {
      const begin = () => { send(frame({ type: "begun" })); ${responses} };
      if (isStarted) setTimeout(begin, ${isolateMs}); else send(frame({ type: 'ready' }));
      isStarted = true;
    });`,
  ],
});

const FLOOD = (chunk: string) => `const flood = () => { while (send(${chunk})); process.stdout.once('drain', flood); }; flood();`;

const BREAKS: Readonly<Record<string, readonly [cause: string, answers: string]>> = {
  'a header without end': ['too_many_messages', 'send(Buffer.alloc(100, 0xff));'],
  'a header that is no JSON': ['too_many_messages', 'send(frame("{"));'],
  'a header of no kind': ['too_many_messages', 'send(frame({ type: "shell" }));'],
  'a header that is null': ['too_many_messages', 'send(frame("null"));'],
  'a call without a number': ['too_many_messages', 'send(frame({ type: "call", id: "1", name: "a" }, "[]"));'],
  'a result of a gigabyte': ['result_too_large', `${FLOOD('frame({ type: "done" }, "x".repeat(2e6))')}`],
  'arguments of a gigabyte': ['call_too_large', `${FLOOD('frame({ type: "call", id: 1, name: "a" }, "x".repeat(2e6))')}`],
  'a line of a gigabyte': ['too_many_messages', `${FLOOD('frame({ type: "log" }, "x".repeat(2e6))')}`],
  'lines without end': [
    'too_many_messages',
    `${FLOOD('frame({ type: "log" }, JSON.stringify({ level: "info", message: "a" }))')}`,
  ],
  'calls without end': ['too_many_calls', `let id = 0; ${FLOOD('frame({ type: "call", id: id++, name: "a" }, "[]")')}`],
  'readiness without end': ['too_many_messages', 'setInterval(() => send(frame({ type: "ready" })), 1);'],
  'idleness without a result': ['crashed', 'send(frame({ type: "idle" }));'],
  'bytes without end': ['too_many_messages', `${FLOOD('Buffer.alloc(65536, 1)')}`],
  'an end without a word': ['crashed', 'process.exit(0);'],
  'complaints without end': ['timeout', 'setInterval(() => process.stderr.write("x".repeat(1e5)), 1);'],
};

describe('SBX-05: a child that was broken out of', () => {
  for (const [name, [cause, responses]] of Object.entries(BREAKS)) {
    it(`is killed for ${name}, and costs the service no memory`, async () => {
      await using scripts = openScripts({ workers: 1, program: childThat(responses) });
      const before = process.memoryUsage.rss();
      const outcome = await scripts.run('export default () => 1;', { limits: { timeoutMs: 1_000, memoryMb: 1_000 } });
      expect(outcome).to.deep.include({ status: 'killed', cause });
      expect(process.memoryUsage.rss() - before).to.be.below(MAX_RISE_BYTES);
    });
  }

  for (const header of ['{ type: "ready" }', '{ type: "idle" }', '{ type: "memory", bytes: 1 }', '{ type: "done" }']) {
    it(`is killed if it sends ${header} while nothing runs`, async () => {
      const result = 'send(frame({ type: "done" }, "1")); send(frame({ type: "idle" }));';
      const program = childThat(`${result} setTimeout(() => send(frame(${header})), 1_000);`);
      await using scripts = openScripts({ workers: 1, program });
      expect((await scripts.run('export default () => 1;', { limits: { timeoutMs: 10_000 } })).result).to.equal(1);
      const before = scripts.host.pids();
      await until(() => !before.every((pid) => scripts.host.pids().includes(pid)), 10_000);
    });
  }

  it('has its time limit from when its isolate exists', async () => {
    const slow = `setTimeout(() => { send(frame({ type: "done" }, "1")); send(frame({ type: "idle" })); }, 300);`;
    await using scripts = openScripts({ workers: 1, program: childThat(slow, 2_500) });
    const outcome = await scripts.run('export default () => 1;', { limits: { timeoutMs: 2_000 } });
    expect(outcome.result, 'the isolate took 2.5 s, the script 0.3').to.equal(1);
    expect(outcome.durationMs).to.be.within(250, 2_000);
  });

  it('does not decide the cause by its last output', async () => {
    const words = 'process.stderr.write("FATAL ERROR: allocation failed, out of memory\\n", () => process.exit(1));';
    await using scripts = openScripts({ workers: 1, program: childThat(words) });
    expect(await scripts.run('export default () => 1;')).to.deep.include({ status: 'killed', cause: 'crashed' });
  });

  it('does not block the next run if it never becomes idle after a result', async () => {
    await using scripts = openScripts({ workers: 1, program: childThat('send(frame({ type: "done" }, "1"));') });
    expect((await scripts.run('export default () => 1;')).result).to.equal(1);
    expect((await scripts.run('export default () => 1;')).result).to.equal(1);
  });
});

describe('frames', () => {
  const messages: ReadonlyArray<readonly [{ readonly type: 'log' } | { readonly type: 'done' }, string]> = [
    [{ type: 'log' }, ''],
    [{ type: 'done' }, 'é😀'.repeat(100)],
    [{ type: 'log' }, 'x'],
  ];

  for (const step of [1, 3, 7, 64, 100_000]) {
    it(`are read correctly in pieces of ${step} bytes`, () => {
      const bytes = Buffer.concat(messages.map(([header, body]) => frame(header, body)));
      const reader = new FrameReader(() => 10_000);
      const read = [];
      for (let at = 0; at < bytes.length; at += step) read.push(...reader.read(bytes.subarray(at, at + step)));
      expect(read).to.deep.equal(messages);
    });
  }
});
