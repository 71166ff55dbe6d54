import { startApp, type TestApp } from './app.ts';
import { createIntegration } from './connect.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider/fake-provider.ts';

/** A service whose integration `fake` is for a provider that is there; nobody has connected yet. */
export interface IntegratedApp extends TestApp {
  /** Ends with the service. */
  readonly provider: FakeProvider;
}

export async function startIntegratedApp(): Promise<IntegratedApp> {
  const provider = await startFakeProvider();
  const app = await startApp();
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
