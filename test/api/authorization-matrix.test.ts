import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { ErrorCode } from '../../core/errors.ts';
import { newApiKey } from '../../core/kit/random-id.ts';
import type { ApiAccess } from '../../core/server/route.ts';
import { createKey, revoke } from '../../core/tenants/api-keys/api-keys.ts';
import { grants, SCOPES, type Scope } from '../../core/tenants/api-keys/scopes.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { rememberSecret } from '../support/canaries.ts';
import { createSession } from '../support/connect.ts';
import type { ClientResponse } from '../support/http-client.ts';
import { type ApiRequest, sendRequest } from '../support/requests/api-request.ts';
import { exampleRequest, type Names } from '../support/requests/names.ts';
import { type ApiOperation, apiOperations } from '../support/requests/operations.ts';
import { expectError } from '../support/std-error.ts';
import { storeKey, storeTenant } from '../support/stored.ts';
import { use } from '../support/use.ts';

type Guarded = Exclude<ApiAccess, 'public'>;
type AccessResult = ErrorCode | 'let in';

/** Names of things that do not exist, so that a response shows only whether the credential is accepted. */
const NOTHING: Names = {
  integration: 'none',
  connectionId: 'none',
  operationId: randomUUID(),
  environmentId: 999_999,
  environmentUuid: randomUUID(),
  receiver: randomUUID(),
  describedClient: randomUUID(),
  apiKeyId: 999_999,
  messageId: 'msg_none',
  sessionToken: '',
  flowId: randomUUID(),
  endedFlowId: randomUUID(),
  // The name is new each time because not every API key may reuse the unique key of a deleted integration.
  get newName() {
    return `none-${randomUUID()}`;
  },
};
const PUBLIC_PATHS = new RegExp(
  [
    /^\/(?:health|ready|metrics|\.well-known\/security\.txt|openapi\.json|docs(?:\/.+)?)?$/,
    /^\/(?:logos\/\{file\}|connect\/brand\/.+|sdk\/v1\.js|connect(?:\/(?:l|launch|preview|assets\/.+|\w+\.(?:js|css)))?)$/,
    /^\/(?:oauth\/callback(?:\/\{uniqueKey\})?|oauth\/client-metadata\/.+|app-auth\/connect|sandbox\/authorize|webhook\/.+)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/**
 * A credential, and the expected result on each kind of route: routes for API keys (`key`), for session tokens (`session`), for
 * either (`both`), …
 */
interface Credential {
  readonly show: (app: TestApp) => Promise<string | undefined>;
  readonly key: AccessResult;
  /** The result on routes for session tokens, and on routes that accept either unless `both` is set. */
  readonly session: AccessResult;
  readonly both?: AccessResult;
  /** The result on routes for account keys, if it differs from `key`. */
  readonly account?: AccessResult;
  /** The result on routes that accept the tokens of ended sessions as well, if it differs from `session`. */
  readonly ended?: AccessResult;
}

const malformed = { key: 'malformed_auth_header', session: 'malformed_auth_header' } as const;
const unknown = { key: 'unknown_account', session: 'unknown_connect_session_token', both: 'unknown_account' } as const;
const unknownToken = { key: 'unknown_account', session: 'unknown_connect_session_token' } as const;

const CREDENTIALS: Readonly<Record<string, Credential>> = {
  'no credential': { show: async () => undefined, key: 'missing_auth_header', session: 'missing_auth_header' },
  'an empty header': { show: async () => '', ...malformed },
  'another scheme': { show: async () => 'Basic dXNlcjpwYXNz', ...malformed },
  'a key without a scheme': { show: async ({ apiKey }) => apiKey, ...malformed },
  'a scheme without a key': { show: async () => 'Bearer ', ...malformed },
  'two keys': { show: async ({ apiKey }) => `Bearer ${apiKey} ${apiKey}`, ...malformed },
  'two keys with a comma': { show: async ({ apiKey }) => `Bearer ${apiKey},${apiKey}`, ...unknown },
  'an unknown key': { show: async () => `Bearer ${newApiKey()}`, ...unknown },
  'the beginning of a key': { show: async ({ apiKey }) => `Bearer ${apiKey.slice(0, -1)}`, ...unknown },
  'a key in another case': { show: async ({ apiKey }) => `Bearer ${apiKey.toUpperCase()}`, ...unknown },
  'a revoked key': { show: revokedKey, ...unknown },
  'a revoked account key': { show: revokedAccountKey, ...unknown },
  'an unknown session token': { show: async () => `Bearer svc_connect_session_${'0'.repeat(64)}`, ...unknownToken },
  'the token of a session that has ended': { show: endedSession, ...unknownToken, ended: 'let in' },
  'a session token': { show: liveSession, key: 'unknown_account', session: 'let in' },
  'a key of the environment': { show: async ({ apiKey }) => `Bearer ${apiKey}`, ...letIn('forbidden') },
  'a key of another environment': { show: foreignKey, ...letIn('forbidden') },
  'an account key': {
    show: async ({ accountKey }) => `Bearer ${accountKey}`,
    ...unknown,
    key: 'forbidden',
    both: 'forbidden',
    account: 'let in',
  },
};

function letIn(account: AccessResult): Pick<Credential, 'key' | 'session' | 'both' | 'account'> {
  return { key: 'let in', session: 'unknown_connect_session_token', both: 'let in', account };
}

async function revokedKey(app: TestApp): Promise<string> {
  const { id, secret } = await storeKey(app, ['environment:*']);
  await revoke(app.services, { id, environmentId: 1 });
  return `Bearer ${secret}`;
}

async function revokedAccountKey(app: TestApp): Promise<string> {
  const { id, secret } = await accountKeyWith(app, ['account:*']);
  await app.services.db('api_keys').where({ id }).update({ revoked_at: new Date() });
  return `Bearer ${secret}`;
}

async function accountKeyWith(app: TestApp, scopes: readonly Scope[]) {
  const key = await createKey(app.services, { accountId: 1, environmentId: null }, { name: randomUUID(), scopes });
  rememberSecret('account key', key.secret);
  return key;
}

async function liveSession(app: TestApp): Promise<string> {
  return `Bearer ${await createSession(app)}`;
}

async function endedSession(app: TestApp): Promise<string> {
  const token = await createSession(app);
  await app.client(token).delete('/connect/session');
  return `Bearer ${token}`;
}

async function foreignKey(app: TestApp): Promise<string> {
  return `Bearer ${(await storeTenant(app, `t-${randomUUID()}`)).apiKey}`;
}

function verdict(access: Guarded, { key, session, both, account, ended }: Credential): AccessResult {
  if ('session' in access) return access.evenEnded === true ? (ended ?? session) : session;
  if (access.orSession) return both ?? session;
  return access.scope.startsWith('account:') ? (account ?? key) : key;
}

/** Puts the credential into the query or the header, wherever the route reads it. */
function shown(request: ApiRequest, access: ApiAccess, authorization: string | undefined): ApiRequest {
  const isInQuery = access !== 'public' && 'session' in access && access.session === 'query';
  if (isInQuery)
    return { ...request, query: { ...request.query, connect_session_token: authorization?.replace('Bearer ', '') ?? '' } };
  return authorization === undefined ? request : { ...request, headers: { ...request.headers, authorization } };
}

function expectAccess(response: ClientResponse, expected: AccessResult): void {
  if (expected === 'let in') expect([401, 403], response.text).not.to.include(response.status);
  else expectError(response, expected);
}

describe('who may call what (AUT-01)', function () {
  const app = use(this, () => startApp({ env: { SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '0' } }));
  const isInQuery = ({ access }: ApiOperation) => access !== 'public' && 'session' in access && access.session === 'query';
  const open = apiOperations.filter(({ access }) => access === 'public');
  const byQuery = apiOperations.filter(isInQuery);
  const guarded = apiOperations.flatMap((one) =>
    one.access === 'public' || isInQuery(one) ? [] : [{ ...one, access: one.access }],
  );

  const call = (operation: ApiOperation, authorization?: string) =>
    sendRequest(app.client(), shown(exampleRequest(operation, NOTHING), operation.access, authorization));

  it('covers every route', () => {
    expect(open.length + byQuery.length + guarded.length).to.equal(apiOperations.length);
    expect(guarded.length).to.be.greaterThan(10);
  });

  it('leaves only the intended routes open', () => {
    for (const { template } of open) expect(template).to.match(PUBLIC_PATHS);
  });

  for (const operation of open) {
    it(`${operation.name} is open to anyone`, async () => {
      for (const header of [undefined, 'Bearer nonsense', 'nonsense']) expectAccess(await call(operation, header), 'let in');
    });
  }

  for (const [what, credential] of Object.entries(CREDENTIALS)) {
    it(`every other route responds to ${what} as specified`, async () => {
      const authorization = await credential.show(app);
      for (const operation of guarded) {
        // This route accepts the tokens of ended sessions, too, but only a live session can begin a flow.
        const expected = operation.name === 'POST /connect/flows' ? credential.session : verdict(operation.access, credential);
        const isSpent = operation.name === 'DELETE /connect/session' && expected === 'let in';
        const response = await call(operation, isSpent ? await liveSession(app) : authorization);
        expectAccess(response, expected);
      }
    });
  }

  for (const operation of byQuery) {
    it(`${operation.name} takes a session token in the query and nothing else`, async () => {
      for (const [what, { show, session }] of Object.entries(CREDENTIALS)) {
        const expected = what === 'a session token' ? session : 'unknown_connect_session_token';
        expectAccess(await call(operation, await show(app)), expected);
      }
      const { headers, ...request } = exampleRequest(operation, NOTHING);
      const inHeader = { ...request, query: {}, headers: { ...headers, authorization: await liveSession(app) } };
      expectAccess(await sendRequest(app.client(), inHeader), 'unknown_connect_session_token');
    });
  }

  for (const scope of SCOPES) {
    it(`a key with ${scope} opens what that scope grants, and nothing else`, async () => {
      const isAccount = scope.startsWith('account:');
      const { secret } = isAccount ? await accountKeyWith(app, [scope]) : await storeKey(app, [scope]);
      for (const operation of guarded) {
        const response = await call(operation, `Bearer ${secret}`);
        if ('session' in operation.access) expectError(response, 'unknown_connect_session_token');
        else if (grants([scope], operation.access.scope)) expectAccess(response, 'let in');
        else {
          expectError(response, 'forbidden');
          expect(response.body.error.message, operation.name).to.contain(operation.access.scope);
        }
      }
    });
  }

  it('every declared scope exists', () => {
    for (const { access, name } of guarded) {
      if (!('session' in access)) expect(SCOPES, name).to.include(access.scope);
    }
  });
});
