import { once } from 'node:events';
import { walk } from './walk.ts';
import { startWorld } from './world.ts';

const headless = process.argv.includes('--headless');
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

try {
  await demo();
} catch (error) {
  // Ctrl-C is how a visitor leaves; without one, waiting for it was not part of the plan.
  if (headless || !stop.signal.aborted) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

async function demo(): Promise<void> {
  console.log('Starting the service and a strict OAuth server with a notes API …');
  await using world = await startWorld();
  console.log(`The service is at ${world.serviceUrl}, the external API at ${world.provider.url}.`);
  if (!headless)
    console.log(`\nTo call it from another terminal:\n\n  export SVC_URL=${world.serviceUrl} SVC_KEY=${world.apiKey}`);
  console.log();
  await walk(world, { headless, signal: stop.signal });
  console.log('\nAll steps went as they must.');
  if (headless || stop.signal.aborted) return;
  console.log('Both keep running; Ctrl-C ends them.');
  await once(stop.signal, 'abort');
}
