import { inspect } from 'node:util';

/** This module runs in the process of `CommandLine`: it executes commands one after the other and sends back their results. */
const MAIN = new URL('../../core/cli/main.ts', import.meta.url);

/** A command: all its environment variables and its arguments. */
export interface Command {
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

let count = 0;
// Each command adds signal listeners, which it never removes. After many commands in one process, Node.js would warn of a leak.
process.setMaxListeners(0);
process.on('message', async (command: Command) => process.send?.(await run(command)));

async function run({ env, args }: Command): Promise<object> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  process.exitCode = undefined;
  using stdout = new Capture(process.stdout);
  using stderr = new Capture(process.stderr);
  count += 1;
  try {
    // The main module runs a command when it is loaded. A different URL loads it again, but not the modules that it imports.
    await import(`${MAIN.href}?${count}`);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(inspect(error));
  }
  return { code: Number(process.exitCode ?? 0), stdout: stdout.text, stderr: stderr.text };
}

/** Captures all text that is written to a stream, instead of passing it on, until disposal. */
class Capture {
  readonly #stream: NodeJS.WriteStream;
  readonly #write: NodeJS.WriteStream['write'];
  text = '';

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    this.#write = stream.write;
    stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
      this.text += Buffer.from(chunk as string).toString('utf8');
      for (const done of rest) if (typeof done === 'function') done();
      return true;
    };
  }

  [Symbol.dispose](): void {
    this.#stream.write = this.#write;
  }
}
