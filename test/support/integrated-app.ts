import { startApp, type TestApp } from './app.ts';
import { createIntegration } from './connect.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider/fake-provider.ts';
import { startTenant } from './tenant.ts';

/** A service whose integration `fake` is for a provider that is there; nobody has connected yet. */
export interface IntegratedApp extends TestApp {
  /** Ends with the service. */
  readonly provider: FakeProvider;
}

/** A service of its own. */
export function startIntegratedApp(): Promise<IntegratedApp> {
  return integrate(startApp());
}

/** A tenant of the shared service. */
export function startIntegratedTenant(): Promise<IntegratedApp> {
  return integrate(startTenant());
}

async function integrate(starting: Promise<TestApp>): Promise<IntegratedApp> {
  const app = await starting;
  const provider = await startFakeProvider();
  await createIntegration(app, provider);
  return {
    ...app,
    provider,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}
