import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../../core/config/read.ts';
import { openDatabase } from '../../../core/db/database.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { explain } from '../../../core/operate/start-fault.ts';
import { openStorage } from '../../../core/operate/storage.ts';
import { rememberSecret } from '../../support/canaries.ts';
import { emptyDatabase } from '../../support/database.ts';
import { relayTo } from '../../support/database-relay.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { freePort } from '../../support/free-port.ts';
import { needPostgres15, startPostgres15 } from '../../support/postgres-15.ts';
import { newServiceEnv } from '../../support/service-env.ts';
import { localhostIdentity, tlsIdentity } from '../../support/tls-identity.ts';
import { use } from '../../support/use.ts';

const log = createLogger({ level: 'silent' });
const HOW = `select case when ssl then 'encrypted' else 'plain' end as how from pg_stat_ssl where pid = pg_backend_pid()`;
/** The message of a setting that is refused before anything is connected to. */
const SETTING = 'these settings are invalid: DATABASE_URL ';

/** Opens the database as a start does. @returns how its connections are encrypted, or what the start would print */
async function attempt(url: string): Promise<string> {
  try {
    const { SVC_ENCRYPTION_KEYS } = newServiceEnv();
    const { config } = readConfig({ DATABASE_URL: url, SVC_ENCRYPTION_KEYS });
    await using storage = await openStorage(config, log);
    const db = openDatabase({ url: storage.url, poolSize: 1, log });
    try {
      return (await db.raw(HOW)).rows[0].how;
    } finally {
      await db.destroy();
    }
  } catch (error) {
    return explain(error).replace(/\s+/g, ' ');
  }
}

describe('DATABASE_URL as people write it', function () {
  this.timeout(30_000);
  before(function () {
    needPostgres15(this);
  });
  const password = rememberSecret('database password', `${randomUUID()}/#`);
  const access = [
    'hostssl all encrypted_only 127.0.0.1/32 trust',
    'hostnossl all plain_only 127.0.0.1/32 trust',
    'host all encrypted_only,plain_only 127.0.0.1/32 reject',
    'host all with_password 127.0.0.1/32 scram-sha-256',
  ];
  const server = use(this, () => startPostgres15({ tls: localhostIdentity, access }));
  const database = use(this, () => server.emptyDatabase());
  const folder = use(this, temporaryFolder);
  const warnings: string[] = [];
  const warned = ({ message }: Error) => warnings.push(message);
  const ca = () => join(folder.path, 'ca.pem');
  const otherCa = () => join(folder.path, 'other.pem');

  use(this, async () => {
    await writeFile(ca(), localhostIdentity.cert);
    await writeFile(otherCa(), tlsIdentity.cert);
    await database.db.raw(`
      create role encrypted_only login;
      create role plain_only login;
      create role with_password login password '${password}'`);
    process.on('warning', warned);
    return {
      async [Symbol.asyncDispose]() {
        process.off('warning', warned);
        expect(warnings).to.deep.equal([]);
      },
    };
  });

  /** Returns the URL of the database, with its parts replaced. */
  function url({ user = 'svc', host = 'localhost', name = new URL(database.url).pathname, query = '' } = {}): string {
    return `postgres://${user}@${host}:${new URL(database.url).port}${name}${query}`;
  }

  const modes: readonly (readonly [string, () => string, string])[] = [
    ['no sslmode', () => url(), 'encrypted'],
    ['sslmode=disable', () => url({ query: '?sslmode=disable' }), 'plain'],
    ['sslmode=prefer', () => url({ query: '?sslmode=prefer' }), 'encrypted'],
    ['sslmode=require', () => url({ host: '127.0.0.1', query: '?sslmode=require' }), 'encrypted'],
    ['require, with its CA', () => url({ host: '127.0.0.1', query: `?sslmode=require&sslrootcert=${ca()}` }), 'encrypted'],
    ['require, with another CA', () => url({ query: `?sslmode=require&sslrootcert=${otherCa()}` }), 'is not trusted'],
    ['no-verify, with another CA', () => url({ query: `?sslmode=no-verify&sslrootcert=${otherCa()}` }), 'encrypted'],
    ['verify-ca', () => url({ host: '127.0.0.1', query: `?sslmode=verify-ca&sslrootcert=${ca()}` }), 'encrypted'],
    ['verify-ca, without a CA', () => url({ query: '?sslmode=verify-ca' }), 'name the CA of the certificate as sslrootcert'],
    ['verify-full', () => url({ query: `?sslmode=verify-full&sslrootcert=${ca()}` }), 'encrypted'],
    [
      'verify-full, for another host',
      () => url({ host: '127.0.0.1', query: `?sslmode=verify-full&sslrootcert=${ca()}` }),
      'its certificate is for another host name (ERR_TLS_CERT_ALTNAME_INVALID); use a host name of the certificate',
    ],
    [
      'a missing CA',
      () => url({ query: '?sslmode=require&sslrootcert=/nowhere.pem' }),
      'sslrootcert in DATABASE_URL names the file',
    ],
    ['a mode that Postgres lacks', () => url({ query: '?sslmode=yes' }), `${SETTING}has an unknown sslmode; use disable,`],
    ['plain, where TLS is required', () => url({ user: 'encrypted_only', query: '?sslmode=disable' }), 'remove sslmode=disable'],
    ['TLS, where it is forbidden', () => url({ user: 'plain_only', query: '?sslmode=require' }), 'set sslmode=disable'],
  ];
  const others: readonly (readonly [string, () => string, string])[] = [
    ['an encoded password', () => url({ user: `with_password:${encodeURIComponent(password)}` }), 'encrypted'],
    [
      'a password that is not encoded',
      () => url({ user: `with_password:${password}` }),
      `${SETTING}has a user, password or database`,
    ],
    ['a wrong password', () => url({ user: 'with_password:wrong' }), 'it does not accept this user or password (28P01); correct'],
    ['no password', () => url({ user: 'with_password' }), 'it asks for a password; add the password to DATABASE_URL'],
    ['a wrong name', () => url({ name: '/nowhere' }), 'it has no database of this name (3D000); create the database'],
    ['several hosts', () => url({ host: 'localhost:1,localhost' }), `${SETTING}names several hosts; name the primary alone`],
  ];
  for (const [title, written, result] of [...modes, ...others]) {
    it(`${title}: ${result.replace(SETTING, '')}`, async () => {
      const found = await attempt(written());
      expect(found).to.contain(result).and.not.contain(password);
    });
  }

  it('a wrong port: says that nothing listens there', async () => {
    const port = await freePort();
    expect(await attempt(`postgres://svc@127.0.0.1:${port}/svc`)).to.contain(
      `(ECONNREFUSED 127.0.0.1:${port}); start it, or correct`,
    );
  });

  it('a socket: ignores the mode, as libpq does', async () => {
    const { rows } = await database.db.raw(
      "select current_setting('unix_socket_directories') as path, current_setting('port') as port",
    );
    const [{ path, port }] = rows;
    const name = new URL(database.url).pathname;
    const own = `postgres://svc@${name}?host=${path}&port=${port}`;
    expect(await attempt(`${own}&sslmode=require`)).to.equal('plain');
    expect(await attempt(`postgres://svc@${encodeURIComponent(path)}:${port}${name}`)).to.equal('plain');
  });

  it('a server without TLS: plain under sslmode=prefer, and what to do under sslmode=require', async () => {
    // A Unix socket offers no TLS; the relay makes it a server on TCP.
    await using onSocket = await emptyDatabase();
    await using relay = await relayTo(onSocket);
    expect(await attempt(relay.database.url)).to.equal('plain');
    expect(await attempt(`${relay.database.url}?sslmode=require`)).to.contain(
      'it does not support TLS; enable TLS on the server',
    );
  });
});
