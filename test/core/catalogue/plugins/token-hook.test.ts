import { expect } from 'chai';
import { PluginError, type RefreshContext } from '#contract';
import { callTokenHook } from '../../../../core/catalogue/plugins/token-hook.ts';
import { ServiceError } from '../../../../core/errors.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { createOutbound } from '../../../../core/kit/outbound.ts';
import { json } from '../../../support/fake-service.ts';
import { serve } from '../../../support/loopback-server.ts';
import { use } from '../../../support/use.ts';

const NOW = new Date('2026-11-23T08:00:00Z');
const SECRET = 'the-secret-of-the-app';
const FRESH = 'a-token-that-just-came';
const CALL = {
  hook: 'auth.exchange',
  connection: { connectionId: '', integrationId: 'acme', provider: 'acme', connectionConfig: {}, metadata: {}, tags: {} },
  integrationConfig: {},
  tokens: { accessToken: '', raw: {} },
  subscription: {},
  client: { clientId: 'client-1', clientSecret: SECRET },
  now: NOW,
};

const WRONG: Readonly<Record<string, { value: unknown; fault: string }>> = {
  nothing: { value: undefined, fault: 'it must be an object' },
  'the text of a token': { value: 'token', fault: 'it must be an object' },
  'no access token': { value: { raw: {} }, fault: 'accessToken must be a non-empty string' },
  'an empty access token': { value: { accessToken: '', raw: {} }, fault: 'accessToken must be a non-empty string' },
  'a refresh token that is null': {
    value: { accessToken: 'a', refreshToken: null, raw: {} },
    fault: 'refreshToken must be a non-empty string',
  },
  'a lifetime for the expiry': { value: { accessToken: 'a', expiresAt: 3600, raw: {} }, fault: 'expiresAt must be a valid Date' },
  'an expiry that is no time': {
    value: { accessToken: 'a', expiresAt: new Date(Number.NaN), raw: {} },
    fault: 'expiresAt must be a valid Date',
  },
  'no response': { value: { accessToken: 'a' }, fault: 'raw must be an object' },
  'a response that is no JSON': { value: { accessToken: 'a', raw: { big: 1n } }, fault: 'raw must be JSON' },
  'several faults': { value: { accessToken: 1 }, fault: 'accessToken must be a non-empty string; raw must be an object' },
};

describe('a hook that obtains tokens', function () {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', write: (line) => lines.push(line) });
  const outbound = use(this, () => createOutbound({ allow: ['127.0.0.1'] }));
  const provider = use(this, () => serve((_, response) => json(200, { data: [{ access_token: FRESH }] })(response)));
  beforeEach(() => lines.splice(0));

  async function failureOf(run: (ctx: RefreshContext) => Promise<unknown>): Promise<ServiceError> {
    const failure: unknown = await callTokenHook({ outbound, log }, CALL, run).catch((error: unknown) => error);
    if (!(failure instanceof ServiceError)) throw new Error(`not a ServiceError: ${String(failure)}`);
    return failure;
  }

  it('gets the client app and the time from which lifetimes count', async () => {
    const tokens = await callTokenHook({ outbound, log }, CALL, async ({ client, now }) => ({
      accessToken: client.clientId,
      expiresAt: now,
      raw: {},
    }));
    expect(tokens).to.deep.equal({ accessToken: 'client-1', expiresAt: NOW, raw: {} });
  });

  for (const [what, { value, fault }] of Object.entries(WRONG)) {
    it(`may not return ${what}`, async () => {
      const { code, message } = await failureOf(async () => value);
      expect({ code, message }).to.deep.equal({
        code: 'server_error',
        message: `auth.exchange of acme returned no TokenSet: ${fault}`,
      });
      expect(lines.join()).to.contain('a plugin failed').and.to.contain(fault);
    });
  }

  it('has no more time than other hooks', async () => {
    const call = callTokenHook({ outbound, log }, { ...CALL, timeoutMs: 50 }, () => new Promise(() => undefined));
    const failure: unknown = await call.catch((error: unknown) => error);
    expect(failure).to.include({ code: 'provider_unavailable', message: 'auth.exchange of acme took too long' });
  });

  it('reveals neither the secret of the app nor tokens of a response in errors and logs', async () => {
    const leak = async ({ fetch, client, log: note }: RefreshContext) => {
      const body = await (await fetch(provider.url)).text();
      note('received', { body });
      return { said: `${client.clientSecret} ${body}` };
    };
    const refused = await failureOf(async (ctx) => {
      throw new PluginError('invalid_credentials', (await leak(ctx)).said);
    });
    expect(refused.message).to.equal('[redacted] {"data":[{"access_token":"[redacted]"}]}');
    const broken = await failureOf(async (ctx) => {
      throw new TypeError((await leak(ctx)).said);
    });
    expect(String(broken.cause)).to.contain('[redacted]');
    expect(lines.join()).to.contain('received').and.to.not.contain(SECRET).and.to.not.contain(FRESH);
  });
});
