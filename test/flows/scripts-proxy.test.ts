import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { canary } from '../support/canaries.ts';
import { mustBe } from '../support/connect.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { startScriptedService } from '../support/user-scripts.ts';

const EVENT = 'post-connection-creation';
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const LARGE = 2 * 1024 * 1024;

describe('what a script gets from its provider', function () {
  const service = use(this, () => startScriptedService({ withJobs: true, env: { SVC_SCRIPT_TIMEOUT_MS: '5000' } }));

  /** Evaluates an expression in a script. @returns its value, or what it throws */
  async function evaluated(expression: string, connect: () => Promise<unknown> = () => service.connect()): Promise<unknown> {
    await service.deploy(
      EVENT,
      `const facts = ({ name, code, status, message, response }) =>
         ({ name, errorCode: code, status, message, data: response?.data });
       export default async (svc) => {
         const came = await (async () => ${expression})().catch((error) => ({ thrown: facts(error) }));
         svc.log('came', { came });
       };`,
    );
    const before = (await service.runs(EVENT)).length;
    await connect();
    const { log } = await service.ran(EVENT, before + 1);
    const [line] = log;
    return (line?.facts as { came?: unknown } | undefined)?.came;
  }

  const lastCall = () => service.provider.ledger.of('api').at(-1) ?? expect.fail('nobody called');

  it('is JSON where the provider says so, else text', async () => {
    expect(await evaluated(`svc.get({ endpoint: '/me' }).then(({ status, data }) => ({ status, data }))`)).to.deep.equal({
      status: 200,
      data: { id: 'user-1', name: 'Ada' },
    });
    service.provider.next('api', { response: { status: 200, headers: { 'content-type': 'text/csv' }, body: 'a,b' } });
    expect(await evaluated(`svc.get({ endpoint: '/me' }).then(({ data }) => data)`)).to.equal('a,b');
    service.provider.next('api', { response: { status: 200, headers: JSON_TYPE, body: '{"broken' } });
    expect(await evaluated(`svc.get({ endpoint: '/me' }).then(({ data }) => data)`)).to.equal('{"broken');
    service.provider.next('api', { response: { status: 204 } });
    expect(await evaluated(`svc.delete({ endpoint: '/me' }).then(({ status, data }) => [status, data])`)).to.deep.equal([
      204,
      '',
    ]);
  });

  it('is decompressed', async () => {
    const body = gzipSync(JSON.stringify({ packed: 'ü' }));
    service.provider.next('api', { response: { status: 200, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body } });
    expect(await evaluated(`svc.get({ endpoint: '/me' }).then(({ data }) => data)`)).to.deep.equal({ packed: 'ü' });
  });

  it('is the response to exactly the request that the script made', async () => {
    const request = `{
      endpoint: 'echo/ä b?x=1',
      params: { y: 'z&', n: 2, yes: true },
      headers: { 'X-Own': 'grüße', Accept: 'text/plain' },
      data: { a: ['ü'] },
    }`;
    expect(await evaluated(`svc.post(${request}).then(({ status }) => status)`)).to.equal(200);
    const { method, target, headers, body } = lastCall();
    expect(method).to.equal('POST');
    expect(target).to.equal('/api/echo/%C3%A4%20b?x=1&y=z%26&n=2&yes=true');
    expect(headers).to.include({ accept: 'text/plain', 'content-type': 'application/json', 'user-agent': 'svc-script' });
    expect(String(body)).to.equal('{"a":["ü"]}');
    await evaluated(`svc.put({ endpoint: '/echo', data: 'plain', headers: { 'Content-Type': 'text/x-own' } }).then(() => 0)`);
    expect(lastCall().headers).to.include({ 'content-type': 'text/x-own', 'content-length': '5' });
    await evaluated(`svc.patch({ endpoint: '/echo' }).then(() => 0)`);
    expect(lastCall().headers['content-type']).to.equal(undefined);
  });

  it('is an error from 400 on, with the status and the response', async () => {
    const { thrown } = (await evaluated(`svc.get({ endpoint: '/status/418' })`)) as { thrown: unknown };
    expect(thrown).to.deep.include({ name: 'ScriptError', errorCode: 'provider_error', status: 418, data: { status: 418 } });
  });

  const REFUSED: Readonly<Record<string, readonly [request: string, code: string]>> = {
    'no endpoint': ['{}', 'invalid_arguments'],
    'a whole URL': [`{ endpoint: 'https://a.example/' }`, 'invalid_arguments'],
    'a header of ours': [`{ endpoint: '/me', headers: { 'Connection-Id': 'x' } }`, 'invalid_arguments'],
    'a base URL': [`{ endpoint: '/me', headers: { 'Base-Url-Override': 'https://a.example' } }`, 'forbidden'],
    'a path that climbs': [`{ endpoint: '/../x' }`, 'invalid_uri_params'],
    'too many tries': [`{ endpoint: '/me', retries: 11 }`, 'invalid_arguments'],
  };
  it('is an error without a call where the request is invalid', async () => {
    const calls = service.provider.ledger.of('api').length;
    const asked = Object.values(REFUSED).map(([request]) => `svc.get(${request})`);
    const all = `Promise.all([${asked.join()}].map((one) => one.then(() => 'answered', (error) => error.code)))`;
    expect(await evaluated(all)).to.deep.equal(Object.values(REFUSED).map(([, code]) => code));
    expect(service.provider.ledger.of('api')).to.have.length(calls);
  });

  it('is at most 2 MiB, however it is compressed', async () => {
    expect(await evaluated(`svc.get({ endpoint: '/big/${LARGE}' }).then(({ data }) => data.length)`)).to.equal(LARGE);
    expect(await evaluated(`svc.get({ endpoint: '/big/${LARGE + 1}' })`)).to.have.nested.property(
      'thrown.errorCode',
      'answer_too_large',
    );
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    service.provider.next('api', { response: { status: 200, headers: { 'content-encoding': 'gzip' }, body: bomb } });
    expect(await evaluated(`svc.get({ endpoint: '/me' })`)).to.have.nested.property('thrown.errorCode', 'answer_too_large');
    service.provider.next('api', { delivery: 'endless', response: { status: 200, body: 'x'.repeat(10_000) } });
    expect(await evaluated(`svc.get({ endpoint: '/me' })`)).to.have.nested.property('thrown.errorCode', 'answer_too_large');
    await lastCall().ended;
  });

  it('is an error where it breaks off', async () => {
    for (const delivery of ['reset', 'reset_inside', 'truncate'] as const) {
      service.provider.next('api', { delivery, response: { status: 200, body: 'x'.repeat(1_000) } });
      expect(await evaluated(`svc.post({ endpoint: '/me' })`), delivery).to.have.nested.property(
        'thrown.errorCode',
        'provider_unreachable',
      );
    }
  });

  it('is requested again as often as the script says', async () => {
    const calls = service.provider.ledger.of('api').length;
    service.provider.next('api', { response: { status: 503 } });
    expect(await evaluated(`svc.get({ endpoint: '/me', retries: 1 }).then(({ status }) => status)`)).to.equal(200);
    expect(service.provider.ledger.of('api')).to.have.length(calls + 2);
  });

  it('comes with a token that is refreshed when the provider refuses it', async () => {
    const tokens = service.provider.ledger.of('token').length;
    service.provider.next('api', { response: { status: 401 } });
    expect(await evaluated(`svc.get({ endpoint: '/me' }).then(({ status }) => status)`)).to.equal(200);
    expect(service.provider.ledger.of('token')).to.have.length(tokens + 2); // one request exchanges the code, one refreshes
  });

  it('is given up when the run is over', async () => {
    service.provider.next('api', { delivery: 'hang' });
    await service.deploy(
      EVENT,
      `export default async (svc) => { void svc.get({ endpoint: '/me' }); await new Promise((go) => setTimeout(go, 2_000)); };`,
    );
    const before = (await service.runs(EVENT)).length;
    const calls = service.provider.ledger.of('api').length;
    await service.connect();
    expect((await service.ran(EVENT, before + 1)).status).to.equal('done');
    await until('the provider was called', () => service.provider.ledger.of('api').length > calls);
    await lastCall().ended;
  });

  it('is for the right connection, whatever characters its ID has', async () => {
    const id = 'käse 🧀/?#%2e';
    const credentials = { type: 'OAUTH2', access_token: canary('imported token') };
    const made = { provider_config_key: 'fake', connection_id: id, credentials };
    const connect = async () => mustBe(200, await service.app.api.post('/connections', made));
    service.provider.next('api', { response: { status: 200 } });
    const came = `svc.get({ endpoint: '/me' }).then(({ status }) => [status, svc.connectionId])`;
    expect(await evaluated(came, connect)).to.deep.equal([200, id]);
  });
});
