import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { canary } from '../support/canaries.ts';
import { type Connected, createSession, mustBe, readConnection, throughProxy } from '../support/connect.ts';
import { connectDirectly, DIRECT_METHODS, directQuery, startDirectApp } from '../support/direct.ts';
import { refreshDue } from '../support/due-work.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { use } from '../support/use.ts';

const METHOD = DIRECT_METHODS['a password for signatures'];
const LIFETIME_MS = 300_000;
const TOKEN = /^UsernameToken Username="account001", PasswordDigest="([^"]*)", Nonce="([0-9a-f]{32})", Created="([^"]*)"$/;

interface Proof {
  readonly nonce: string;
  readonly created: string;
  /** Returns whether the digest was computed from this password. */
  readonly isOf: (password: string, form?: 'base64' | 'hex') => boolean;
}

function readToken(header: unknown): Proof {
  const [, digest = '', nonce = '', created = ''] = TOKEN.exec(String(header)) ?? expect.fail(String(header));
  const isOf = (password: string, form: 'base64' | 'hex' = 'base64') => {
    const text = createHash('sha1').update(`${nonce}${created}${password}`).digest(form);
    return digest === (form === 'hex' ? Buffer.from(text).toString('base64') : text);
  };
  return { nonce, created, isOf };
}

describe('a connection by user name and a password that signs requests', function () {
  const provider = use(this, startFakeProvider);
  const app = use(this, () => startDirectApp(provider));

  before(async () => {
    const config = { integration_config: { server: provider.url } };
    mustBe(200, await app.api.post('/integrations', { unique_key: 'digest-token', provider: 'digest-token', ...config }));
  });

  async function connect(password: string, key: string = METHOD.key): Promise<Connected> {
    const query = directQuery(METHOD, await createSession(app));
    const response = await connectDirectly(app, METHOD, { query, key, body: { username: 'account001', password } });
    mustBe(200, response);
    return { connectionId: response.body.connectionId, key };
  }

  const lastCall = () => provider.ledger.of('api').at(-1) ?? expect.fail('nobody called');

  it('is proven by a signed call before it is stored, and has no token of its own', async () => {
    const password = canary('signing password');
    const connected = await connect(password);
    expect(lastCall().target).to.equal('/api/me');
    expect(readToken(lastCall().headers['x-wsse']).isOf(password)).to.equal(true);
    const { credentials } = (await readConnection(app, connected)).body;
    expect(credentials).to.deep.equal({ type: 'SIGNATURE', username: 'account001', password });
  });

  it('signs each proxied call anew, whatever headers the caller has', async () => {
    const password = canary('signing password');
    const connected = await connect(password);
    const headers = { 'x-wsse': 'own', x_wsse: 'own', 'svc-proxy-x-wsse': 'own' };
    const proofs = [];
    for (let call = 0; call < 3; call += 1) {
      mustBe(200, await throughProxy(app, connected, { path: '/echo', headers }));
      const { rawHeaders } = lastCall();
      const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase().replaceAll('_', '-'));
      expect(names.filter((name) => name === 'x-wsse')).to.have.length(1);
      expect(names).to.not.include('authorization');
      proofs.push(readToken(lastCall().headers['x-wsse']));
    }
    expect(proofs.map((proof) => proof.isOf(password))).to.deep.equal([true, true, true]);
    expect(new Set(proofs.map(({ nonce }) => nonce)).size).to.equal(3);
    expect(Math.abs(Date.parse(proofs[0]?.created ?? '') - app.clock.now().getTime())).to.be.below(60_000);
  });

  it('has a token where the definition says how long it is valid, and the token is refreshed', async () => {
    const password = canary('signing password');
    const connected = await connect(password, 'digest-token');
    const { credentials: first } = (await readConnection(app, connected)).body;
    expect(readToken(first.token).isOf(password, 'hex')).to.equal(true);
    const { created } = readToken(first.token);
    expect(Math.abs(Date.parse(first.expires_at) - Date.parse(created) - LIFETIME_MS)).to.be.below(2_000);

    const { credentials: second } = (await readConnection(app, connected, '&force_refresh=true')).body;
    expect(second).to.include({ type: 'SIGNATURE', username: 'account001', password });
    expect(readToken(second.token).isOf(password, 'hex')).to.equal(true);
    expect(readToken(second.token).nonce).to.not.equal(readToken(first.token).nonce);
  });

  it('refreshes an expired token before it is returned, without a call to the provider', async () => {
    const connected = await connect(canary('signing password'), 'digest-token');
    const { credentials: first } = (await readConnection(app, connected)).body;
    const hourAgo = app.database.db.raw(`now() - interval '1 hour'`);
    const dates = { expires_at: hourAgo, refreshed_at: app.database.db.raw(`now() - interval '2 hours'`) };
    await app.database.db('connections').where({ connection_id: connected.connectionId }).update(dates);
    const calls = provider.ledger.entries.length;
    const { credentials: second } = (await readConnection(app, connected)).body;
    expect(Date.parse(second.expires_at)).to.be.above(Date.now());
    expect(second.token).to.not.equal(first.token);
    expect(provider.ledger.entries).to.have.length(calls);
  });

  it('needs the user when the provider refuses it in the daily check', async () => {
    const connected = await connect(canary('signing password'));
    const state = async () => (await storedConnection(app.database.db, connected)).state;
    const { id } = await storedConnection(app.database.db, connected);
    await app.database.db('refreshes').where({ connection_id: id }).update({ due_at: app.database.db.fn.now() });
    provider.next('api', { response: { status: 401 } });
    expect(await refreshDue(app.services)).to.equal(1);
    expect(readToken(lastCall().headers['x-wsse'])).to.have.property('nonce');
    expect(await state()).to.equal('needs_reauth');
  });

  it('has the header that the definition names', async () => {
    const password = canary('signing password');
    const connected = await connect(password, 'digest-token');
    mustBe(200, await throughProxy(app, connected, { path: '/echo' }));
    expect(readToken(lastCall().headers['x-own-wsse']).isOf(password, 'hex')).to.equal(true);
    expect(lastCall().headers).to.not.have.property('x-wsse');
  });
});
