import { startApp, type TestApp } from './app.ts';
import { createIntegration } from './connect.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider/fake-provider.ts';
import { startTenant } from './tenant.ts';

/** A service with the integration `fake`, whose provider is running. No account is connected yet. */
export interface IntegratedApp extends TestApp {
  /** The provider, which disposal stops as well. */
  readonly provider: FakeProvider;
}

/** Starts a service that no other test uses. */
export function startIntegratedApp(): Promise<IntegratedApp> {
  return integrate(startApp());
}

/** Creates a new account, with the integration, on the service that the tests of this process share. */
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
