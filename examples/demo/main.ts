import { once } from 'node:events';
import { startGuide } from './guide/server.ts';
import { openInBrowser } from './open-in-browser.ts';
import { startAtPort } from './ports.ts';
import { walk } from './walk.ts';
import { startWorld } from './world.ts';

const GUIDE_PORT = 3005;
const headless = process.argv.includes('--headless');
const stop = new AbortController();
// The handlers are never removed: npm repeats the Ctrl-C of the terminal, and the second signal must not interrupt the cleanup.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

try {
  await demo();
} catch (error) {
  // Ctrl-C during the start ends the service, too, which is no failure of the demo.
  if (!stop.signal.aborted) console.error(error instanceof Error ? error.message : error);
  process.exitCode = stop.signal.aborted ? 0 : 1;
}

async function demo(): Promise<void> {
  console.log('Starting the service and an example application …');
  await using world = await startWorld();
  if (headless) {
    await walk(world, stop.signal);
    console.log('\nAll steps went as they must.');
    return;
  }
  await using guide = await startAtPort(GUIDE_PORT, (port) => startGuide(world, port));
  const { serviceUrl, apiKey, appUrl, admin } = world;
  // Only a terminal shows the password: any other output may be kept.
  const password = process.stdout.isTTY ? `the password ${admin.password}` : `the password in ${admin.passwordFile}`;
  console.log(`Every step of the quick start, to be copied or run:\n\n  ${guide.url}\n`);
  console.log(`Connect an account in the example application:\n\n  ${appUrl}\n`);
  console.log(`See it in the dashboard (sign in as ${admin.email} with ${password}):\n\n  ${serviceUrl}\n`);
  console.log(`Or call the service from another terminal:\n\n  export SVC_URL=${serviceUrl} SVC_KEY=${apiKey}\n`);
  console.log('Ctrl-C ends everything, and leaves nothing behind.');
  openInBrowser(guide.url);
  if (!stop.signal.aborted) await once(stop.signal, 'abort');
}
