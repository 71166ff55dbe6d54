import { expect } from 'chai';
import { DEFAULT_LIMITS } from '../../scripts-runtime/limits.ts';
import { readProgram } from '../../scripts-runtime/program.ts';
import { FrameReader, frame, type HostMessage, type RunInput } from '../../scripts-runtime/protocol.ts';
import { startRunner } from '../../scripts-runtime/runner-process.ts';

const MEMORY_MB = 32;
/**
 * A number of arrays of 8 MiB that exceeds the memory limit. V8 tolerates some memory beyond its limit: 8 arrays pass with this
 * limit, and 12 with twice the limit, so 11 also shows that the limit is not doubled.
 */
const TOO_MANY = 11;
/** Returns a script that keeps this many arrays, each of which takes 8 MiB of the isolate's heap. */
const keeping = (arrays: number) =>
  `export default () => { const all = []; while (all.length < ${arrays}) all.push(new Array(2 ** 20).fill(1)); return all.length; };`;

describe('the isolate of a script, without a parent that watches the memory of its process', () => {
  it('holds what its limit allows', async () => {
    expect(await run(keeping(2))).to.deep.equal([{ type: 'done' }, '2']);
  });

  it('ends at its limit', async () => {
    const [header] = await run(keeping(TOO_MANY));
    expect(header).to.deep.equal({ type: 'failed', cause: 'memory' });
  });
});

/** Runs a script in the real runner, without the parent that would kill it first. @returns the message that ends the run */
async function run(source: string): Promise<readonly [header: unknown, body: string]> {
  const program = readProgram();
  const runner = startRunner(program.arguments);
  const send = (header: HostMessage, body: string) => runner.stdin.write(frame(header, body));
  const facts = { connectionId: 'connection-1', providerConfigKey: 'key-1' };
  const input: RunInput = { source, input: JSON.stringify({ facts, args: [], limits: DEFAULT_LIMITS }) };
  try {
    send({ type: 'start', reportsMemory: false }, program.guest);
    const reader = new FrameReader(() => 2 ** 20);
    for await (const chunk of runner.stdout)
      for (const [header, body] of reader.read(chunk)) {
        const { type } = header as { readonly type: string };
        if (type === 'ready') send({ type: 'run', entry: 'default', memoryMb: MEMORY_MB }, JSON.stringify(input));
        if (type === 'done' || type === 'failed') return [header, body];
      }
    throw new Error(`the runner ended: ${await runner.exited}`);
  } finally {
    runner.kill();
    await runner.exited;
  }
}
