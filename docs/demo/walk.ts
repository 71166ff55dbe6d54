import * as steps from './steps.ts';
import type { World } from './world.ts';

export interface WalkOptions {
  /** Nobody sits at a browser: the demo allows access itself. */
  readonly headless: boolean;
  readonly signal: AbortSignal;
}

/** From an empty service to a proxied call with a renewed token. @throws at the first step that does not go as it must */
export async function walk(world: World, { headless, signal }: WalkOptions): Promise<void> {
  await step('Create an integration for the Notes API', () => steps.createIntegration(world));
  const link = await step('Create a connect link for a user', () => steps.createConnectLink(world));
  if (headless)
    await step('Connect as the user: PKCE, state, issuer and redirect URI pass a strict OAuth server', () =>
      steps.connectHeadlessly(link),
    );
  else console.log(`\nOpen this in a browser and press Allow:\n\n  ${link}\n`);

  const connection = await step('Find the connection by its tag', () => steps.findConnection(world, signal));
  const first = await step('Read its credentials', () => steps.readAccessToken(world, connection));
  await step('Read a note through the proxy: the caller holds no token', () => steps.readNoteThroughProxy(world, connection));

  await step('Wait until the access token has expired', () => steps.waitUntilExpired(signal));
  await step('The external API now refuses that token', async () => mustEqual(await steps.statusAtProvider(world, first), 401));
  const second = await step('Read the credentials again: renewed on the way', () => steps.readAccessToken(world, connection));
  await step('It is a new token, and the external API takes it', async () => {
    if (second === first) throw new Error('the token is still the old one');
    mustEqual(await steps.statusAtProvider(world, second), 200);
  });
  await step('Read a note through the proxy again', () => steps.readNoteThroughProxy(world, connection));
}

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    console.log(`ok      ${title}`);
    return result;
  } catch (error) {
    console.log(`FAILED  ${title}`);
    throw error;
  }
}

function mustEqual(status: number, expected: number): void {
  if (status !== expected) throw new Error(`the external API responded with ${status} where ${expected} was expected`);
}
