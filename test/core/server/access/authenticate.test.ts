import { expect } from 'chai';
import { type Access, defineRoute } from '../../../../core/server/route.ts';
import { ROUTE, SESSION_TOKEN, startEdge } from '../../../support/http-edge.ts';
import { use } from '../../../support/use.ts';

const MINUTE_MS = 60_000;

function whoAmI(path: string, access: Access) {
  return defineRoute({
    ...ROUTE,
    method: 'GET',
    path,
    access,
    handle: async (_: unknown, { caller }) => ({ body: { kind: caller.kind } }),
  });
}

const routes = [
  whoAmI('/public', 'public'),
  whoAmI('/read', { scope: 'environment:connections:read' }),
  whoAmI('/delete', { scope: 'environment:connections:delete' }),
  whoAmI('/either', { scope: 'environment:integrations:list', orSession: true }),
  whoAmI('/session', { session: true }),
  whoAmI('/account', { scope: 'account:environments:list' }),
];

const unknownSession = `Bearer svc_connect_session_${'f'.repeat(64)}`;
const session = `Bearer ${SESSION_TOKEN}`;

const MATRIX: readonly (readonly [string, string | undefined, number, string])[] = [
  ['/public', undefined, 200, 'anyone'],
  ['/public', 'nonsense', 200, 'anyone'],
  ['/read', undefined, 401, 'missing_auth_header'],
  ['/read', 'key-of-everything', 401, 'malformed_auth_header'],
  ['/read', 'Basic a2V5Og==', 401, 'malformed_auth_header'],
  ['/read', 'Bearer', 401, 'malformed_auth_header'],
  ['/read', 'Bearer a b', 401, 'malformed_auth_header'],
  ['/read', 'Bearer unknown', 401, 'unknown_account'],
  ['/read', session, 401, 'unknown_account'],
  ['/read', 'Bearer key-of-reading', 200, 'environment'],
  ['/read', 'bearer  key-of-reading', 200, 'environment'],
  ['/read', 'Bearer key-of-everything', 200, 'environment'],
  ['/delete', 'Bearer key-of-reading', 403, 'forbidden'],
  ['/delete', 'Bearer key-of-everything', 200, 'environment'],
  ['/delete', 'Bearer key-of-account', 403, 'forbidden'],
  ['/either', session, 200, 'session'],
  ['/either', unknownSession, 401, 'unknown_connect_session_token'],
  ['/either', 'Bearer key-of-everything', 200, 'environment'],
  ['/either', 'Bearer key-of-reading', 403, 'forbidden'],
  ['/either', 'Bearer unknown', 401, 'unknown_account'],
  ['/session', session, 200, 'session'],
  ['/session', unknownSession, 401, 'unknown_connect_session_token'],
  ['/session', 'Bearer key-of-everything', 401, 'unknown_connect_session_token'],
  ['/session', undefined, 401, 'missing_auth_header'],
  ['/account', 'Bearer key-of-account', 200, 'account'],
  ['/account', 'Bearer key-of-everything', 403, 'forbidden'],
  ['/account', session, 401, 'unknown_account'],
];

describe('authentication', function () {
  const edge = use(this, () => startEdge(routes));
  for (const [path, authorization, status, word] of MATRIX) {
    it(`responds to ${path} and ${authorization?.slice(0, 28) ?? 'no header'} with ${status} ${word}`, async () => {
      const response = await edge.as().get(path, authorization === undefined ? {} : { headers: { authorization } });
      expect([response.status, response.body.kind ?? response.body.error.code]).to.deep.equal([status, word]);
      expect(response.headers.get('www-authenticate')).to.equal(status === 401 ? 'Bearer' : null);
    });
  }

  it('names the missing scope', async () => {
    const { body } = await edge.as('key-of-reading').get('/delete');
    expect(body.error.message).to.contain('environment:connections:delete');
  });

  it('names the plane a call needs', async () => {
    const { body } = await edge.as('key-of-everything').get('/account');
    expect(body.error.message).to.contain('account key').and.to.contain('account:environments:list');
  });

  it('is the same for HEAD', async () => {
    expect((await edge.as().call('HEAD', '/read')).status).to.equal(401);
  });
});

describe('wrong credentials', () => {
  it('get 429 above the limit of their address, until the minute is over', async () => {
    await using edge = await startEdge(routes, { failuresPerMinute: 3, trustedProxies: ['127.0.0.1'] });
    const from = (address: string, key = 'unknown') => edge.as(key).get('/read', { headers: { 'x-forwarded-for': address } });
    await edge.clock.nextMinute();
    for (let failure = 0; failure < 3; failure += 1) expect((await from('192.0.2.1')).status).to.equal(401);

    const limited = await from('192.0.2.1');
    expect([limited.status, limited.body.error.code]).to.deep.equal([429, 'too_many_request']);
    expect(Number(limited.headers.get('retry-after'))).to.be.within(1, 60);
    expect((await from('192.0.2.2')).status, 'another address').to.equal(401);
    expect((await from('192.0.2.1', 'key-of-reading')).status, 'a right key').to.equal(200);

    await edge.clock.advance(MINUTE_MS);
    expect((await from('192.0.2.1')).status).to.equal(401);
  });

  it('are not counted with the limit 0', async () => {
    await using edge = await startEdge(routes);
    const responses = await Promise.all(Array.from({ length: 50 }, () => edge.as('unknown').get('/read')));
    expect(responses.every(({ status }) => status === 401)).to.equal(true);
  });
});
