import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { setHmacKey, setPublicKey } from '../../core/tenants/api-keys/public-key-store.ts';
import { rememberSecret } from '../support/canaries.ts';
import { createSession, readConnection } from '../support/connect.ts';
import { DIRECT_METHODS, type DirectMethod, startDirectApp } from '../support/direct.ts';
import { AuthError, type AuthResult, ExistingFrontend } from '../support/existing-frontend.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { use } from '../support/use.ts';

const METHODS: Readonly<Record<string, DirectMethod>> = DIRECT_METHODS;
const PUBLIC_KEY = '0b7e7f0e-52a5-4c3e-9d0e-3b1f9d1f2a44';
const HMAC_KEY = rememberSecret('HMAC key', 'an-hmac-key-of-a-page');

describe('a page’s client of another product', function () {
  const provider = use(this, startFakeProvider);
  const app = use(this, () => startDirectApp(provider, { SVC_LEGACY_PUBLIC_KEY: 'on', SVC_CLIENT_PREFIX: 'Acme' }));

  before(async () => {
    await setPublicKey(app.services.db, 1, PUBLIC_KEY);
    await setHmacKey(app.services, 1, HMAC_KEY);
  });

  const withSession = (connectSessionToken: string) =>
    new ExistingFrontend({ host: app.url, origin: 'https://app.example', connectSessionToken });

  function connectBy(frontend: ExistingFrontend, method: DirectMethod, options: object = {}): Promise<AuthResult> {
    const body = method.body();
    const params = { ...method.config, site: 'acme', code: 'a&b=c [d]' };
    const input = { params, ...options };
    return body === undefined ? frontend.create(method.key, input) : frontend.auth(method.key, body, input);
  }

  async function refusal(call: Promise<unknown>): Promise<AuthError> {
    const fault = await call.then(
      () => expect.fail('it was not refused'),
      (error) => error,
    );
    expect(fault).to.be.instanceOf(AuthError);
    expect(fault.message).to.be.a('string').and.not.to.equal('');
    return fault;
  }

  for (const [what, method] of Object.entries(METHODS)) {
    describe(`with ${what}`, () => {
      it('connects, and connects again, with a session', async () => {
        const made = await connectBy(withSession(await createSession(app)), method);
        expect(made).to.have.all.keys('providerConfigKey', 'connectionId');
        expect(made.providerConfigKey).to.equal(method.key);
        const record = await readConnection(app, { connectionId: made.connectionId, key: method.key });
        expect(record.body.connection_config).to.deep.equal({ ...method.config, site: 'acme', code: 'a&b=c [d]' });

        const input = { connection_id: made.connectionId, integration_id: method.key };
        const again = await app.api.post('/connect/sessions/reconnect', input);
        const token = rememberSecret('connect session token', again.body.data.token);
        expect(await connectBy(withSession(token), method)).to.deep.equal(made);
      });

      it('connects with the public key, an ID of its own and a signature', async () => {
        const frontend = new ExistingFrontend({ host: app.url, origin: 'null', publicKey: PUBLIC_KEY });
        const connectionId = `user-of-${method.key}`;
        const hmac = createHmac('sha256', HMAC_KEY).update(`${method.key}:${connectionId}`).digest('hex');
        const made = await connectBy(frontend, method, { connectionId, hmac });
        expect(made).to.deep.equal({ connectionId, providerConfigKey: method.key });
        expect(await refusal(connectBy(frontend, method, { connectionId }))).to.include({ type: 'missing_hmac' });
        expect(await refusal(connectBy(frontend, method, { connectionId, hmac: '00' }))).to.include({ type: 'invalid_hmac' });
      });

      it('reads why it was refused', async () => {
        const token = await createSession(app, { allowed_integrations: [method.key] });
        provider.next('api', { response: { status: 401 } });
        expect(await refusal(connectBy(withSession(token), method))).to.include({ type: 'connection_test_failed' });
        const other = method.key === 'keyed' ? METHODS['nothing'] : METHODS['an API key'];
        const elsewhere = connectBy(withSession(token), { ...method, key: other?.key ?? '' });
        expect(await refusal(elsewhere)).to.include({ type: 'integration_not_allowed' });
        const any = await createSession(app);
        const misfit = connectBy(withSession(any), { ...method, key: other?.key ?? '' });
        expect(await refusal(misfit)).to.include({ type: 'invalid_auth_mode' });
        expect(await refusal(connectBy(withSession('nobody'), method))).to.include({ type: 'unknown_connect_session_token' });
      });
    });
  }

  it('reports invalid credentials and an unknown integration by type', async () => {
    const token = await createSession(app);
    expect(await refusal(withSession(token).auth('keyed', { apiKey: '' }))).to.include({ type: 'invalid_body' });
    const fault = await refusal(withSession(token).auth('nobody', { apiKey: 'x' }));
    expect(fault).to.include({ type: 'unknown_provider_config' });
  });

  it('may name the type of the credentials, which is not sent', async () => {
    const credentials = { type: 'API_KEY', ...DIRECT_METHODS['an API key'].body() };
    const made = await withSession(await createSession(app)).auth('keyed', credentials);
    expect(made.providerConfigKey).to.equal('keyed');
  });
});
