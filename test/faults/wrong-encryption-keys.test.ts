import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { newKeyRingText } from '../../core/kit/key-ring.ts';
import { Program } from '../core/db/programs/program.ts';
import { rememberSecret, sweep } from '../support/canaries.ts';
import { type Connected, connect, readConnection } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { temporaryFolder } from '../support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { client } from '../support/http-client.ts';
import { Installation } from '../support/installation.ts';
import { ServiceProcess, startService } from '../support/processes.ts';
import { newServiceEnv, type ServiceEnv } from '../support/service-env.ts';
import { size } from '../support/size.ts';
import { use } from '../support/use.ts';

const EXIT_MS = 25_000;

function key(bytes: number): string {
  return rememberSecret('wrong encryption key', randomBytes(bytes).toString('base64'));
}

// Wrong key rings, each with the advice that the error must give. The data was encrypted with a ring that has one key, `k1`.
const WRONG_RINGS: readonly [fault: string, ring: string | undefined, advice: RegExp][] = [
  ['no key', undefined, /SVC_ENCRYPTION_KEYS must be set/],
  ['another key under the same ID', `k1:${key(32)}`, /correct it in SVC_ENCRYPTION_KEYS/],
  ['a key of 31 bytes', `k1:${key(31)}`, /SVC_ENCRYPTION_KEYS key 1 must be id:base64 of exactly 32 bytes; correct it/],
  ['a ring that lacks a used ID', `k2:${key(32)}`, /"k1", which is missing; add it to SVC_ENCRYPTION_KEYS/],
];

describe('CRY-04 a start with the wrong encryption keys', function () {
  const installation = use(this, () => Installation.open());
  let connected: Connected;

  before(async () => {
    await using provider = await startFakeProvider();
    const service = await installation.startProcess();
    connected = await connect(service, provider);
    await service.process.stop();
  });
  for (const [fault, ring, advice] of WRONG_RINGS) {
    it(`is refused, and changes no row: ${fault}`, async () => {
      const before = await checksum();
      const { code, tookMs, output } = await start(ring);
      expect(code).to.be.a('number').and.not.equal(0);
      expect(tookMs).to.be.below(EXIT_MS);
      expect(output.stderr).to.match(advice);
      expect(output.stderr).not.to.contain('    at ');
      expect(sweep(output)).to.deep.equal([]);
      expect(await checksum()).to.equal(before);
    });
  }

  it('is possible with a new key first, as long as the old one is there', async () => {
    const newKey = newKeyRingText().replace('k1:', 'k2:');
    const ring = `${newKey},${installation.env.SVC_ENCRYPTION_KEYS}`;
    const service = await installation.startProcess({ SVC_ENCRYPTION_KEYS: ring });
    expect((await readConnection(service, connected)).status).to.equal(200);
  });

  async function checksum(): Promise<string> {
    return createHash('sha256')
      .update(await installation.database.dump())
      .digest('hex');
  }

  async function start(ring: string | undefined) {
    const { SVC_ENCRYPTION_KEYS: _, ...others } = installation.env;
    const env = { ...others, ...(ring !== undefined && { SVC_ENCRYPTION_KEYS: ring }) };
    const begun = performance.now();
    await using service = new ServiceProcess({ env, port: await freePort() });
    const { code } = await service.exit;
    return { code, tookMs: performance.now() - begun, output: service.output };
  }
});

describe('CRY-04 the file of the keys beside an embedded database', function () {
  this.timeout(60_000);
  const folder = use(this, temporaryFolder);
  let env: ServiceEnv;

  before(() => {
    env = { ...newServiceEnv(), SVC_ENCRYPTION_KEYS: '', SVC_DATA_DIR: folder.path }; // "" counts as unset
  });

  const keysFile = () => join(folder.path, 'encryption-keys');

  it('is created when the first start was cut off before there was anything to encrypt', async () => {
    await using first = new Program('own-database', { dataDir: folder.path, explicitDataDir: true });
    await first.nextLine();
    await first.kill();
    await using service = await startService({ env });
    expect((await client(service.url, env.SVC_BOOTSTRAP_API_KEY).get('/connections')).status).to.equal(200);
    expect(existsSync(keysFile())).to.equal(true);
  });

  it('is not created again when it is lost, and works again when it is restored', async () => {
    const keys = await readFile(keysFile(), 'utf8');
    await rm(keysFile());
    for (let start = 0; start < size(1, 3); start += 1) {
      await using service = new ServiceProcess({ env, port: await freePort() });
      expect((await service.exit).code).to.equal(1);
      expect(existsSync(keysFile())).to.equal(false);
      expect(service.output.stderr).to.contain('restore encryption-keys from a backup').and.not.contain('    at ');
    }
    await writeFile(keysFile(), keys, { mode: 0o600 });
    await using service = await startService({ env });
    expect((await client(service.url, env.SVC_BOOTSTRAP_API_KEY).get('/connections')).status).to.equal(200);
  });
});
