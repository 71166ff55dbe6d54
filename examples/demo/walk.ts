import { awaited } from './awaited.ts';
import * as steps from './steps.ts';
import type { World } from './world.ts';

const LIMIT_MS = 180_000;

/** Runs all steps of the demo without a browser. @throws at the first step that fails */
export async function walk(world: World, stop: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(LIMIT_MS)]);
  const token = await step('The application creates a connect session for its user', () => steps.createSession(world));
  await step('The user signs in at the sandbox', () => steps.connectHeadlessly({ ...world, token }));
  const connection = await step('The application finds the connection by its tag', () => steps.findConnection(world));
  await step('A signed webhook has told it, too', () => steps.waitForWebhook(world, { connection, signal }));
  await step('It reads a note through the proxy, and holds no token', () => steps.readNote(world, connection));
  await step('The access token is renewed before it expires', () => steps.waitForRenewal(world, { connection, signal }));
  await step('It reads a note again', () => steps.readNote(world, connection));
}

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  try {
    const result = await awaited(() => `“${title}”`, work());
    console.log(`ok      ${title}`);
    return result;
  } catch (error) {
    console.log(`FAILED  ${title}`);
    throw error;
  }
}
