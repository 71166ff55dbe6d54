import { constants, setPriority } from 'node:os';
import ivm from 'isolated-vm';

/**
 * Measures isolated-vm alone: for each line on stdin it creates an isolate, runs a script in it, disposes of it, and prints how
 * many milliseconds this took.
 */

const SCRIPT = 'export default () => 1;';

async function bare(): Promise<number> {
  const started = performance.now();
  const isolate = new ivm.Isolate({ memoryLimit: 64 });
  const context = await isolate.createContext();
  const script = await isolate.compileModule(SCRIPT);
  await script.instantiate(context, () => {
    throw new Error('it imports nothing');
  });
  await script.evaluate();
  const run = await script.namespace.get('default', { reference: true });
  await run.apply(undefined, []);
  isolate.dispose();
  return performance.now() - started;
}

// svc's runners have this priority, too.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.stdin.on('data', async () => process.stdout.write(`${await bare()}\n`));
