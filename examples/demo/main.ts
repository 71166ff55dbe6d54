import { once } from 'node:events';
import { openInBrowser } from './open-in-browser.ts';
import { walk } from './walk.ts';
import { startWorld } from './world.ts';

const headless = process.argv.includes('--headless');
const stop = new AbortController();
// The handlers are never removed: npm repeats the Ctrl-C of the terminal, and the second signal must not interrupt the cleanup.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

try {
  await demo();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function demo(): Promise<void> {
  console.log('Starting the service and an example application …');
  await using world = await startWorld();
  if (headless) {
    await walk(world, stop.signal);
    console.log('\nAll steps went as they must.');
    return;
  }
  console.log(`The service is at ${world.serviceUrl}, its API reference at ${world.serviceUrl}/docs.\n`);
  console.log(`Connect an account in the example application:\n\n  ${world.appUrl}\n`);
  console.log(`Or call the service from another terminal:\n\n  export SVC_URL=${world.serviceUrl} SVC_KEY=${world.apiKey}\n`);
  console.log('Ctrl-C ends both, and leaves nothing behind.');
  openInBrowser(world.appUrl);
  if (!stop.signal.aborted) await once(stop.signal, 'abort');
}
