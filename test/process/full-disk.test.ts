import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { type Client, client } from '../support/http-client.ts';
import { needNamespaces, quote } from '../support/namespaces.ts';
import { giveSpace, takeSpace } from '../support/no-space.ts';
import { DIRECTLY, type ServiceProcess, startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { expectError } from '../support/std-error.ts';
import { storeIntegration } from '../support/stored.ts';
import { until } from '../support/until.ts';

/** The size of the random metadata. As base64 text, it stays below the limit of 64 KB. */
const FILLER_BYTES = 45_000;
/**
 * The time limits: /ready must report a full disk within 2 s of the first refused write. It checks again every 5 s whether there
 * is space; `CLEARED_MS` is five times that.
 */
const TOLD_MS = 2_000;
const CLEARED_MS = 25_000;
const FULL = { result: 'degraded', cause: 'storage_full' };

describe('a disk that is full', function () {
  this.timeout(90_000);

  it('with the embedded database is reported by /ready and loses nothing, and the service recovers by itself', async function () {
    needNamespaces(this, '--mount');
    const env = newServiceEnv();
    const disk = 'mount -t tmpfs -o size=512m,mode=755 tmpfs /var/lib';
    const script = [disk, `exec ${DIRECTLY.map(quote).join(' ')}`].join(' && ');
    const command = ['unshare', '--mount', 'sh', '-c', script];
    await using service = await startService({ env: { ...env, SVC_DATA_DIR: '/var/lib/data' }, command });
    const api = client(service.url, env.SVC_BOOTSTRAP_API_KEY);
    await storeIntegration(api, 'acme');
    await using ballast = await fill(service);
    const stored = await storeUntilRefused(api);
    await until('/ready tells', async () => (await api.get('/ready')).body.cause === 'storage_full', TOLD_MS);
    expect(await service.logged('the disk of the database is full')).to.include({ level: 'error' });

    await ballast.remove();
    await until('it has space again', async () => (await api.get('/ready')).body.result === 'ok', CLEARED_MS);
    expect((await importOne(api)).status).to.equal(200);
    const { body } = await api.get('/connections');
    const found = body.connections.map(({ connection_id: id }: { connection_id: string }) => id);
    expect(found).to.have.lengthOf(stored.length + 1);
    expect(found).to.include.members(stored);
  });

  it('with any other database is reported by /ready', async () => {
    await using app = await startApp();
    const { db } = app.services;
    await takeSpace(db);
    expect((await app.api.get('/ready')).body).to.deep.equal({ result: 'ok' });
    const refused = await app.api.post('/integrations', { unique_key: 'a', provider: 'github' });
    expectError(refused, 'storage_full');
    expect(refused.headers.get('retry-after')).to.equal('30');
    const { status, body } = await app.api.get('/ready');
    expect({ status, body }).to.deep.equal({ status: 200, body: FULL });
    expect((await app.client().get('/metrics')).text).to.contain('svc_degraded{cause="storage_full"} 1\n');
    expect((await app.api.get('/connections')).status, 'reads still work').to.equal(200);
    await giveSpace(db);
    await until('it has space again', async () => (await app.api.get('/ready')).body.result === 'ok', CLEARED_MS);
  });
});

/** Fills the disk that is mounted for this service alone. */
async function fill({ pid }: ServiceProcess) {
  const path = `/proc/${pid}/root/var/lib/ballast`;
  const chunk = Buffer.alloc(64 * 1024);
  await using file = await open(path, 'w');
  const writeOn = async (): Promise<never> => {
    for (;;) await file.write(chunk);
  };
  expect(await writeOn().catch((error: NodeJS.ErrnoException) => error.code)).to.equal('ENOSPC');
  const remove = () => rm(path, { force: true });
  return { remove, [Symbol.asyncDispose]: remove };
}

/** Imports connections until one is refused. @returns the IDs of those that the service has acknowledged */
async function storeUntilRefused(api: Client): Promise<readonly string[]> {
  const stored: string[] = [];
  for (;;) {
    const { status, body } = await importOne(api);
    if (status === 200) stored.push(body.connection_id);
    else {
      expect([status, body.error.code]).to.deep.equal([503, 'storage_full']);
      return stored;
    }
  }
}

function importOne(api: Client) {
  return api.post('/connections', {
    provider_config_key: 'acme',
    metadata: { filler: randomBytes(FILLER_BYTES).toString('base64') },
    credentials: { type: 'OAUTH2', access_token: canary('imported token') },
  });
}
