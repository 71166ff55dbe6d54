import { expect } from 'chai';
import { jwtVerify } from 'jose';
import { connectionsOf } from '../support/authorization.ts';
import { type Connected, createSession, mustBe, readConnection, throughProxy } from '../support/connect.ts';
import { connectDirectly, DIRECT_METHODS, type DirectMethod, directQuery, startDirectApp } from '../support/direct.ts';
import { refreshDue } from '../support/due-work.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { PAIRS, pemOf } from '../support/signing-keys.ts';
import { expectError } from '../support/std-error.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { use } from '../support/use.ts';

const HOUR_MS = 3_600_000;
const PEM = pemOf(PAIRS.p256);
const KEY = { privateKey: PEM, privateKeyId: 'a-key', issuerId: 'an-issuer' };
const METHODS: readonly (readonly [method: DirectMethod, member: string])[] = [
  [DIRECT_METHODS['a key that signs'], 'token'],
  [DIRECT_METHODS['a key of an app store'], 'access_token'],
];

describe('tokens that the service signs', function () {
  const provider = use(this, startFakeProvider);
  const app = use(this, () => startDirectApp(provider));

  async function ask(method: DirectMethod, body: object) {
    return connectDirectly(app, method, { query: directQuery(method, await createSession(app)), body });
  }

  async function connect(method: DirectMethod): Promise<Connected> {
    const response = await ask(method, KEY);
    mustBe(200, response);
    return { connectionId: response.body.connectionId, key: method.key };
  }

  async function verify(token: unknown) {
    return (await jwtVerify(String(token), PAIRS.p256.publicKey, { algorithms: ['ES256'] })).payload;
  }

  const lastToken = () => String(provider.ledger.of('api').at(-1)?.headers.authorization).replace(/^Bearer /, '');
  const passed = (hours: number) => app.clock.advance(hours * HOUR_MS, app.database.db);

  for (const [method, member] of METHODS) {
    it(`prove the key to the provider before anything is stored: ${method.authMode}`, async () => {
      const connected = await connect(method);
      const token = lastToken();
      expect((await verify(token)).iss).to.equal('an-issuer');
      expect((await readConnection(app, connected)).body.credentials[member]).to.equal(token);
    });

    it(`are signed anew when they expire, without a call: ${method.authMode}`, async () => {
      const connected = await connect(method);
      const first = (await readConnection(app, connected)).body.credentials;
      const calls = provider.ledger.entries.length;
      await passed(1);
      const [one, other] = await Promise.all([readConnection(app, connected), readConnection(app, connected)]);
      expect(one.body.credentials).to.deep.equal(other.body.credentials);
      expect(one.body.credentials).to.deep.include({
        ...first,
        [member]: one.body.credentials[member],
        expires_at: one.body.credentials.expires_at,
      });
      expect(one.body.credentials[member]).to.not.equal(first[member]);
      await verify(one.body.credentials[member]);
      expect(provider.ledger.entries).to.have.length(calls);
    });

    it(`are kept fresh although nobody uses them: ${method.authMode}`, async () => {
      const connected = await connect(method);
      await passed(25);
      await refreshDue(app.services);
      const { generation, state } = await storedConnection(app.database.db, connected);
      expect({ generation, state }).to.deep.equal({ generation: 2, state: 'healthy' });
    });

    it(`are signed anew when the API refuses one, and the call is repeated: ${method.authMode}`, async () => {
      const connected = await connect(method);
      const before = lastToken();
      await passed(0.05);
      provider.next('api', { response: { status: 401 } });
      mustBe(200, await throughProxy(app, connected, { path: '/me' }));
      expect(lastToken()).to.not.equal(before);
      await verify(lastToken());
    });

    it(`are not signed with an unusable key, which is refused without a call: ${method.authMode}`, async () => {
      const [calls, connections] = [provider.ledger.entries.length, (await connectionsOf(app)).length];
      const response = await ask(method, { ...KEY, privateKey: PEM.split('\n').toSpliced(1, 1).join('\n') });
      expectError(response, 'invalid_body', ['privateKey']);
      for (const line of PEM.split('\n').slice(1, -2)) expect(response.text).to.not.include(line);
      expect(provider.ledger.entries).to.have.length(calls);
      expect(await connectionsOf(app)).to.have.length(connections);
    });
  }

  it('are shown with the key, its IDs and the expiry, but nothing else that was entered', async () => {
    const response = await ask(DIRECT_METHODS['a key that signs'], { ...KEY, account: '${credentials.privateKey}' });
    const { credentials } = (await readConnection(app, { connectionId: response.body.connectionId, key: 'tokened' })).body;
    expect(credentials).to.have.all.keys('type', 'privateKey', 'privateKeyId', 'issuerId', 'token', 'expires_at');
    expect(credentials).to.include({ type: 'JWT', ...KEY });
    expect(await verify(credentials.token)).to.include({ account: '${credentials.privateKey}' });
  });
});
