import { startApp, type TestApp } from './app.ts';
import { createIntegration } from './connect.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider/fake-provider.ts';
import { startTenant } from './tenant.ts';

/** A service with the integration `fake`, whose provider is running. Nobody has connected yet. */
export interface IntegratedApp extends TestApp {
  /** The provider, which ends with the service. */
  readonly provider: FakeProvider;
}

/** Starts a service that is not shared. */
export function startIntegratedApp(): Promise<IntegratedApp> {
  return integrate(startApp());
}

/** Creates a tenant of the shared service. */
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
