import { expect } from 'chai';
import { revoke } from '../../core/environments/api-keys.ts';
import { grants, SCOPES } from '../../core/environments/scopes.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { Access } from '../../core/http/route.ts';
import { newApiKey } from '../../core/kit/random-id.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { routeCalls } from '../support/concrete-routes.ts';
import { createSession } from '../support/connect.ts';
import type { Client, ClientAnswer } from '../support/http-client.ts';
import { expectError } from '../support/std-error.ts';
import { clientWith, storeKey, storeTenant } from '../support/stored.ts';

type Guarded = Exclude<Access, 'public'>;

/** Credentials that open nothing but public routes, and what the others say to them. */
const REFUSED: Readonly<Record<string, readonly [string | undefined, (access: Guarded) => ErrorCode]>> = {
  'no credential': [undefined, () => 'missing_auth_header'],
  'an empty header': ['', () => 'malformed_auth_header'],
  'another scheme': ['Basic dXNlcjpwYXNz', () => 'malformed_auth_header'],
  'a scheme without a key': ['Bearer ', () => 'malformed_auth_header'],
  'two keys': [`Bearer ${newApiKey()} ${newApiKey()}`, () => 'malformed_auth_header'],
  'an unknown key': [`Bearer ${newApiKey()}`, unknown],
  'an unknown session token': [`Bearer svc_connect_session_${'0'.repeat(64)}`, unknownToken],
};

function unknown(access: Guarded): ErrorCode {
  return 'session' in access ? 'unknown_connect_session_token' : 'unknown_account';
}

function unknownToken(access: Guarded): ErrorCode {
  return 'session' in access || access.orSession ? 'unknown_connect_session_token' : 'unknown_account';
}

function expectLetIn(answer: ClientAnswer): void {
  expect([401, 403], answer.text).not.to.include(answer.status);
}

describe('who may call what', () => {
  let app: TestApp;
  const calls = routeCalls();
  const open = calls.filter(({ access }) => access === 'public');
  const guarded = calls.flatMap((call) => (call.access === 'public' ? [] : [{ ...call, access: call.access }]));

  before(async () => {
    app = await startApp({ env: { SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '0' } });
  });

  after(() => app[Symbol.asyncDispose]());

  const make = (client: Client, { method, path, body }: (typeof calls)[number], authorization?: string) =>
    client.call(method, path, { body, ...(authorization !== undefined && { headers: { authorization } }) });

  it('is about every route', () => {
    expect(open.length + guarded.length).to.equal(calls.length);
    expect(guarded.length).to.be.greaterThan(10);
    const names = ['/health', '/ready', '/metrics', '/openapi.json', '/docs', '/logos/:file', '/oauth/connect/:uniqueKey'];
    const pages = [
      '/oauth/callback',
      '/connect/l',
      '/connect/link.js',
      '/connect/fields.js',
      '/connect/element.js',
      '/connect/page.css',
    ];
    expect(open.map(({ name }) => name)).to.have.members([...names, ...pages].map((path) => `GET ${path}`));
  });

  for (const call of open) {
    it(`${call.name} is open to anyone`, async () => {
      for (const header of [undefined, 'Bearer nonsense', 'nonsense']) {
        const { status, text } = await make(app.client(), call, header);
        expect([401, 403], text).not.to.include(status);
      }
    });
  }

  for (const call of guarded) {
    for (const [what, [header, code]] of Object.entries(REFUSED)) {
      it(`${call.name} refuses ${what}`, async () => {
        expectError(await make(app.client(), call, header), code(call.access));
      });
    }

    it(`${call.name} refuses a revoked key`, async () => {
      const { id, secret } = await storeKey(app, ['environment:*']);
      await revoke(app.services, { id, environmentId: 1 });
      expectError(await make(app.client(secret), call), unknown(call.access));
    });

    it(`${call.name} refuses an account key`, async () => {
      const code = 'session' in call.access ? unknown(call.access) : 'forbidden';
      expectError(await make(app.client(app.accountKey), call), code);
    });

    it(`${call.name} ${'session' in call.access || call.access.orSession ? 'takes' : 'refuses'} a session token`, async () => {
      const answer = await make(app.client(await createSession(app)), call);
      if ('session' in call.access || call.access.orSession) expectLetIn(answer);
      else expectError(answer, 'unknown_account');
    });
  }

  for (const scope of SCOPES.filter((one) => one.startsWith('environment:'))) {
    it(`a key with ${scope} opens what that scope grants, and nothing else`, async () => {
      const client = await clientWith(app, scope);
      for (const call of guarded) {
        const answer = await make(client, call);
        if ('session' in call.access) expectError(answer, 'unknown_connect_session_token');
        else if (grants([scope], call.access.scope)) expectLetIn(answer);
        else {
          expectError(answer, 'forbidden');
          expect(answer.body.error.message, call.name).to.contain(call.access.scope);
        }
      }
    });
  }

  it('a key opens nothing in another environment', async () => {
    const { api } = await storeTenant(app, 'other');
    await app.api.post('/integrations', { unique_key: 'mine', provider: 'github' });
    expect((await api.get('/integrations')).body.data).to.deep.equal([]);
    expectError(await api.get('/integrations/mine'), 'unknown_provider_config');
  });

  it('a declared scope is one that exists', () => {
    for (const { access, name } of guarded) {
      if (!('session' in access)) expect(SCOPES, name).to.include(access.scope);
    }
  });
});
