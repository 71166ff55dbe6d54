import { expect } from 'chai';
import { rememberSecret, sweep } from '../support/canaries.ts';
import { readConnection, type Service, throughProxy } from '../support/connect.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import { startFakeApplication } from '../support/fake-application.ts';
import { makeHooked } from '../support/hooked.ts';
import { client } from '../support/http-client.ts';
import { type LoopbackServer, serve } from '../support/loopback-server.ts';
import { APPLICATION_NAME, type InstallationFacts, loadInstallation, PROVIDER_NAME } from '../support/previous-installation.ts';
import { startService } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

describe('an installation of the release before', function () {
  this.timeout(60_000);
  let facts: InstallationFacts;
  const database = use(this, emptyDatabase);
  const application = use(this, startFakeApplication);
  const provider = use(this, () => startProvider(() => facts));
  const hooked = use(this, makeHooked);
  before(async () => {
    const addresses = [
      [APPLICATION_NAME, application.url],
      [PROVIDER_NAME, provider.url],
    ] as const;
    facts = await loadInstallation(database, new Map(addresses));
    for (const { accessToken, refreshToken } of facts.connections)
      for (const token of [accessToken, refreshToken]) rememberSecret('token', token);
    await expectWaiting(database, facts);
  });
  const service = use(this, () => {
    const env = { ...hooked.env, DATABASE_URL: database.url, SVC_OUTBOUND_ALLOW: '127.0.0.1/32' };
    return startService({ env: { ...env, SVC_ENCRYPTION_KEYS: facts.encryptionKeys } });
  });
  const instance = (): Service => ({ url: service.url, api: client(service.url, facts.apiKey) });

  it('keeps its API keys, with what each may do', async () => {
    const listing = client(service.url, facts.listingKey);
    expect((await listing.get('/connections')).body.connections).to.have.length(facts.connections.length);
    expect((await listing.get('/integrations')).status).to.equal(403);
    expect((await client(service.url, facts.accountKey).get('/environment/api-keys?environment_id=1')).status).to.equal(200);
  });

  it('keeps its connections, whichever key they are stored under', async () => {
    for (const { accessToken, ...connected } of facts.connections) {
      const { status, body } = await readConnection(instance(), connected);
      expect([status, body.credentials?.access_token]).to.deep.equal([200, accessToken]);
    }
    for (const connected of facts.connections.filter(({ key }) => key === 'fake')) {
      expect((await throughProxy(instance(), connected, { path: '/me' })).status).to.equal(200);
      const { status, body } = await readConnection(instance(), connected, '&force_refresh=true');
      expect([status, body.credentials?.access_token]).to.deep.equal([200, renewed(connected.refreshToken)]);
    }
  });

  it('sends what waits once each, and does what was left to be done', async function () {
    this.timeout(40_000);
    await until('nothing waits', async () => Object.values(await waiting(database)).every((rows) => rows === 0), 30_000);
    const ids = application.ledger.entries.map(({ headers }) => String(headers['webhook-id']));
    const numbers = application.ledger.entries.flatMap(({ body }) => JSON.parse(body.toString()).payload?.number ?? []);
    const sent: string[] = await database.db('webhook_messages').where({ status: 'delivered' }).pluck('message_id');
    expect(ids)
      .to.have.members(sent)
      .and.to.include.members([...facts.messageIds]);
    expect(ids).to.have.length(facts.messageIds.length + facts.unmatched.length);
    expect(numbers).to.have.members([...facts.matched, ...facts.unmatched]);

    const runs = await database.db('script_runs').select('connection_id', 'status', 'log');
    const seen = runs.flatMap(({ log }) => log.map(({ facts: noted }: { facts: { number: number } }) => noted.number));
    expect(seen).to.have.members([...facts.matched, ...facts.unmatched]);
    expect(runs.map(({ status }) => status)).to.deep.equal(Array(seen.length + 1).fill('done'));
    expect(await database.db('connections').where({ metadata: { greeted: true } })).to.have.length(1);
    expect(await database.db('pgboss.job').where({ name: 'dead-letters' })).to.deep.equal([]);
    expect(sweep(service.output)).to.deep.equal([]);
  });
});

/** So that nothing passes because there was nothing to do. */
async function expectWaiting(database: TestDatabase, { messageIds, matched, unmatched }: InstallationFacts): Promise<void> {
  const scripts = matched.length + 1;
  expect(await waiting(database)).to.deep.equal({ messages: messageIds.length, deliveries: unmatched.length, scripts });
  const keyIds: Buffer[] = await database.db('connections').orderBy('id').pluck('credentials');
  // Version, length of the key's ID, the ID.
  expect(keyIds.map((envelope) => envelope.toString('latin1', 0, 4))).to.have.members(
    ['k1', 'k1', 'k2', 'k2'].map((id) => `\x02\x02${id}`),
  );
}

async function waiting({ db }: TestDatabase): Promise<Readonly<Record<'messages' | 'deliveries' | 'scripts', number>>> {
  return {
    messages: (await db('webhook_messages').whereNot({ status: 'delivered' })).length,
    deliveries: (await db('webhook_deliveries')).length,
    scripts: (await db('script_queue')).length,
  };
}

/** That gave the tokens: it takes them, and renews each by its refresh token. */
function startProvider(facts: () => InstallationFacts): Promise<LoopbackServer> {
  return serve(async (request, response) => {
    const { connections } = facts();
    const params = new URLSearchParams((await request.toArray()).join(''));
    const asked = connections.find(({ refreshToken }) => refreshToken === params.get('refresh_token'));
    const known = connections.some(({ accessToken }) => request.headers.authorization === `Bearer ${accessToken}`);
    response.statusCode = asked || known ? 200 : 401;
    response.setHeader('content-type', 'application/json');
    const tokens = asked && { access_token: renewed(asked.refreshToken), token_type: 'Bearer', expires_in: 3600 };
    response.end(JSON.stringify(tokens ?? {}));
  });
}

function renewed(refreshToken: string): string {
  return `renewed-${refreshToken}`;
}
