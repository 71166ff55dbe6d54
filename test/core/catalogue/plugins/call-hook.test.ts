import { expect } from 'chai';
import { type HookContext, PluginError } from '#contract';
import { callHook, type HookCall } from '../../../../core/catalogue/plugins/call-hook.ts';
import { ServiceError } from '../../../../core/errors.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { createOutbound } from '../../../../core/kit/outbound.ts';
import { startFakeProvider } from '../../../support/fake-provider/fake-provider.ts';
import { use } from '../../../support/use.ts';

const CALL: HookCall = {
  hook: 'connection.verify',
  connection: { connectionId: 'c-1', integrationId: 'acme', provider: 'acme', connectionConfig: {}, metadata: {}, tags: {} },
  integrationConfig: {},
  tokens: { accessToken: 'token-1', raw: {} },
  subscription: {},
};

describe('callHook', function () {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', write: (line) => lines.push(line) });
  const outbound = use(this, () => createOutbound({ allow: ['127.0.0.1'] }));
  const provider = use(this, () => startFakeProvider({ openApi: true }));
  beforeEach(() => lines.splice(0));

  function run<T>(hook: (ctx: HookContext) => Promise<T>, changes: Partial<HookCall> = {}): Promise<T> {
    return callHook({ outbound, log }, { ...CALL, ...changes }, hook);
  }

  async function failureOf(hook: (ctx: HookContext) => Promise<unknown>, changes: Partial<HookCall> = {}): Promise<ServiceError> {
    const failure = await run(hook, changes).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(failure instanceof ServiceError)) throw new Error(`not a ServiceError: ${String(failure)}`);
    return failure;
  }

  it('gives the hook a fetch that sends what it is given and returns a web Response', async () => {
    const echo = await run(async ({ fetch, tokens }) => {
      const headers = { authorization: `Bearer ${tokens.accessToken}` };
      const response = await fetch(`${provider.url}/api/echo`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ a: 'b' }),
      });
      return { status: response.status, type: response.headers.get('content-type'), body: await response.json() };
    });
    expect(echo).to.deep.include({ status: 200, type: 'application/json' });
    expect(echo.body).to.include({ method: 'POST', body_bytes: 3 });
    expect(JSON.stringify(echo.body)).to.contain('Bearer token-1').and.to.contain('application/x-www-form-urlencoded');
  });

  it('does not follow redirects, and returns statuses that have no body', async () => {
    const statuses = await run(async ({ fetch }) => [
      (await fetch(`${provider.url}/api/redirect?to=/elsewhere`)).status,
      (await fetch(`${provider.url}/api/status/204`)).status,
    ]);
    expect(statuses).to.deep.equal([302, 204]);
  });

  it('refuses private addresses, and responses larger than 1 MiB', async () => {
    expect((await failureOf(({ fetch }) => fetch('http://10.0.0.1/'))).code).to.equal('provider_unavailable');
    expect((await failureOf(({ fetch }) => fetch(`${provider.url}/api/big/1048577`))).code).to.equal('provider_unavailable');
  });

  it('ends a hook that takes too long, and the call it makes', async () => {
    provider.next('api', { delivery: 'hang' });
    const failure = await failureOf(({ fetch }) => fetch(`${provider.url}/api/me`), { timeoutMs: 100 });
    expect(failure).to.include({ code: 'provider_unavailable', message: 'connection.verify of acme took too long' });
  });

  it('ends when its caller aborts', async () => {
    const reason = new Error('the caller has gone');
    const gone = run(() => new Promise(() => undefined), { signal: AbortSignal.abort(reason) });
    expect(await gone.catch((error: unknown) => error)).to.equal(reason);
  });

  for (const [hook, code, expected] of [
    ['connection.verify', 'invalid_credentials', 'connection_test_failed'],
    ['connection.afterAuthorization', 'invalid_connection_config', 'connection_test_failed'],
    ['auth.refresh', 'invalid_credentials', 'invalid_credentials'],
    ['auth.refresh', 'provider_unavailable', 'provider_unavailable'],
  ] as const) {
    it(`fails as ${expected} when ${hook} throws ${code}`, async () => {
      const isRenewal = hook === 'auth.refresh' ? ({ isRenewal: true } as const) : {};
      const failure = await failureOf(() => Promise.reject(new PluginError(code, 'said so')), { hook, ...isRenewal });
      expect(failure).to.include({ code: expected, message: 'said so' });
      expect(lines).to.deep.equal([]);
    });
  }

  it('logs a bug of the plugin and reports nothing of it to the caller', async () => {
    const failure = await failureOf(() => Promise.reject(new TypeError('internals')));
    expect(failure).to.include({ code: 'server_error', message: 'connection.verify of acme failed' });
    expect(lines.join()).to.contain('internals').and.to.contain('"provider":"acme"');
  });

  it('passes copies, so that changes of the hook stay in the hook', async () => {
    const call = { ...CALL, subscription: { ids: [1] } };
    await run(async ({ subscription }) => Reflect.set(subscription, 'ids', []), call);
    expect(call.subscription).to.deep.equal({ ids: [1] });
  });
});
