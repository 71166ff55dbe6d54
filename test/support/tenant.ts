import { newConnectionId } from '../../core/kit/random-id.ts';
import { createKey } from '../../core/tenants/api-keys/api-keys.ts';
import { createAccount } from '../../core/tenants/environments/bootstrap.ts';
import { environmentsOf } from '../../core/tenants/environments/environment-store.ts';
import { FULL_ACCESS_KEY } from '../../core/tenants/environments/environments.ts';
import { startApp, type TestApp } from './app.ts';
import { rememberSecret } from './canaries.ts';
import { TestClock } from './clock.ts';
import { countAsSweep } from './spent.ts';
import { atWorkerEnd } from './worker-end.ts';

let shared: Promise<TestApp> | undefined;

/**
 * Creates an account with its environment `dev` on a service that several suites of this process share. It is for suites that do
 * not need their own settings or their own clock and that alter no table. The service's output is searched for leaked secrets
 * when the process ends; each is reported with the test file that used it.
 */
export async function startTenant(): Promise<TestApp> {
  shared ??= startShared();
  const app = await shared;
  const { id: accountId, accountKey } = await createAccount(app.services, newConnectionId());
  rememberSecret('account key', accountKey);
  const [environment] = await environmentsOf(app.services.db, accountId);
  if (environment === undefined) throw new Error('a new account has an environment');
  const environmentId = environment.id;
  const key = { name: FULL_ACCESS_KEY, scopes: ['environment:*'], createdBy: 'svc' };
  const { secret: apiKey } = await createKey(app.services, { accountId, environmentId }, key);
  rememberSecret('API key', apiKey);
  return { ...app, accountId, environmentId, accountKey, apiKey, api: app.client(apiKey), [Symbol.asyncDispose]: async () => {} };
}

async function startShared(): Promise<TestApp> {
  // This limit counts refused requests by client address. It is off because all suites have the same address and would block one
  // another.
  const app = await startApp({ env: { SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '0' }, clock: new SharedClock() });
  atWorkerEnd(() => countAsSweep(() => app[Symbol.asyncDispose]()));
  return app;
}

class SharedClock extends TestClock {
  override advance(): Promise<never> {
    throw new Error('other suites share this clock: start a service of your own with startApp()');
  }
}
