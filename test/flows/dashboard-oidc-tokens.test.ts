import { createServer } from 'node:http';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { startApp } from '../support/app.ts';
import { dashboardClient } from '../support/dashboard/members.ts';
import { freePort } from '../support/free-port.ts';
import { listen } from '../support/listen.ts';
import { use } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';

const CLIENT = 'dashboard';
const ALG = 'RS256';
const ADA = { email: 'ada@acme.example', email_verified: true };

/** Starts an identity provider whose claims and signing key the test chooses. */
async function startProvider() {
  const [published, other] = [await generateKeyPair(ALG), await generateKeyPair(ALG)];
  const jwk = { ...(await exportJWK(published.publicKey)), alg: ALG, use: 'sig', kid: 'k' };
  const says = { idToken: {} as JWTPayload, userInfo: {} as object, isForged: false, nonce: '' };
  const sign = () =>
    new SignJWT({ ...says.idToken, nonce: says.nonce })
      .setProtectedHeader({ alg: ALG, kid: 'k' })
      .setIssuer(url)
      .setSubject('ada')
      .setAudience(CLIENT)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(says.isForged ? other.privateKey : published.privateKey);
  const endpoints: Readonly<Record<string, () => unknown>> = {
    '/.well-known/openid-configuration': () => ({
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      userinfo_endpoint: `${url}/me`,
      jwks_uri: `${url}/jwks`,
      id_token_signing_alg_values_supported: [ALG],
    }),
    '/jwks': () => ({ keys: [jwk] }),
    '/token': async () => ({ access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: await sign() }),
    '/me': () => ({ sub: 'ada', ...says.userInfo }),
  };
  const server = createServer(async (request, response) => {
    const body = await endpoints[request.url ?? '']?.();
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return { url, says, [Symbol.asyncDispose]: async () => void server.close() };
}

describe('the statement of an identity provider in an ID token', function () {
  const provider = use(this, startProvider);
  const app = use(this, async () => {
    const port = await freePort();
    return startApp({
      env: {
        ...{ PORT: String(port), SVC_BASE_URL: `http://127.0.0.1:${port}`, SVC_OIDC_ISSUER: provider.url },
        ...{ SVC_OIDC_CLIENT_ID: CLIENT, SVC_OIDC_CLIENT_SECRET: 'secret', SVC_OIDC_ALLOWED_DOMAINS: 'acme.example' },
      },
    });
  });

  /** Signs in through the identity provider. @returns 'signed in', or the path to which the browser was redirected */
  async function signIn(said: Partial<typeof provider.says>): Promise<string | undefined> {
    await app.services.db('members').delete();
    Object.assign(provider.says, { idToken: {}, userInfo: {}, isForged: false }, said);
    const walker = new WebWalker();
    const start = await walker.visit(`${app.url}/api/ui/oidc/start`);
    const { searchParams } = new URL(start.headers.get('location') ?? '');
    provider.says.nonce = searchParams.get('nonce') ?? '';
    const back = `${app.url}/api/ui/oidc/callback?code=c&state=${searchParams.get('state')}`;
    const page = await walker.visit(back);
    const cookies = walker.cookies(new URL(app.url).origin);
    const { status } = await dashboardClient(app, cookies).get('/api/ui/me');
    return status === 200 ? 'signed in' : page.headers.get('location')?.replace(app.url, '');
  }

  it('is accepted when it is signed by the key that the provider publishes', async () => {
    expect(await signIn({ idToken: ADA })).to.equal('signed in');
  });

  it('is refused when it is signed by another key', async () => {
    expect(await signIn({ idToken: ADA, isForged: true })).to.equal('/login?problem=oidc_failed');
  });

  it('says whether its own e-mail is verified, not whether that of the user info is', async () => {
    const refused = '/login?problem=oidc_refused';
    expect(await signIn({ userInfo: ADA })).to.equal('signed in');
    expect(await signIn({ idToken: { email_verified: true }, userInfo: { email: ADA.email } })).to.equal(refused);
    expect(await signIn({ idToken: { email: ADA.email }, userInfo: { email_verified: true } })).to.equal(refused);
    const other = { email: 'eve@elsewhere.example', email_verified: true };
    expect(await signIn({ idToken: { ...ADA, email_verified: false }, userInfo: { ...other, email: ADA.email } })).to.equal(
      refused,
    );
  });
});
