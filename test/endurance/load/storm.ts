import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { type Change, type DeployedProxy, PROXY_PROGRAMS, startDeployedProxy } from '../../support/deployed-proxy.ts';
import { makeFolders } from '../../support/folders.ts';
import { startPgbouncer } from '../../support/pgbouncer.ts';
import { startPostgres15 } from '../../support/postgres-15.ts';
import { newServiceEnv } from '../../support/service-env.ts';
import { size } from '../../support/size.ts';
import type { Call } from './call.ts';
import { Fleet, type Kill } from './fleet.ts';
import { MixedLoad, NUMBER_HEADER } from './mixed-load.ts';
import { World } from './world.ts';

const INSTANCES = 3;
const CALLS_PER_SECOND = 50;
/** The sessions of the database that all instances share. */
const SESSIONS = 20;
const TOKEN_CALL_MS = 500;
/**
 * A third of this lifetime is the time before its end at which a token is refreshed. It is longer than the 90 s for which the lease of
 * a killed process counts as held behind a pooler, so that the stored token works meanwhile (`core/credentials/README.md`).
 */
const TOKEN_SECONDS = 360;
/** Longer than any refresh of a living instance takes in this test. */
const REFRESHED_MS = size(2_000, 5_000);
/** Makes HAProxy print for each call its number and the server that it was sent to. */
const LOGGED: readonly Change[] = [
  ['global\n', 'global\n  log stdout format raw local0\n'],
  [
    '  default_backend svc\n',
    `  default_backend svc\n  log global\n  http-request capture req.hdr(${NUMBER_HEADER}) len 16\n  log-format "call %[capture.req.hdr(0)] %s"\n`,
  ],
];
/** The outcome of a call whose connection was closed. */
const CLOSED = 'UND_ERR_SOCKET';
const CLOSED_WITHIN_MS = 1_000;
const LOG_LINE = /^call (\d+) (\S+)$/gm;
/** Replaces what the configuration says of checks and retries by HAProxy's defaults. */
const PLAIN: Change = [
  / {2}# An instance that is stopping[\s\S]*?(?= {2}server svc1)/,
  '  option httpchk GET /ready\n  default-server check\n',
];

/**
 * A mixed load on three instances of the service behind HAProxy, which share a durable Postgres 15 through PgBouncer in transaction
 * mode, while instances are killed and restarted.
 */
export class Storm implements AsyncDisposable {
  readonly world: World;
  readonly fleet: Fleet;
  readonly load: MixedLoad;
  readonly db: Knex;
  readonly kills: Kill[] = [];
  /** The connections whose refresh was in flight when the process was killed that made it. */
  readonly leftBehind = new Set<string>();
  readonly #proxy: DeployedProxy;
  readonly #opened: AsyncDisposableStack;

  private constructor(
    parts: Pick<Storm, 'world' | 'fleet' | 'load' | 'db'> & { readonly proxy: DeployedProxy },
    opened: AsyncDisposableStack,
  ) {
    this.world = parts.world;
    this.fleet = parts.fleet;
    this.load = parts.load;
    this.db = parts.db;
    this.#proxy = parts.proxy;
    this.#opened = opened;
  }

  /** @param isPlain whether HAProxy's defaults replace what `deploy/haproxy.cfg` says of checks and retries */
  static async open({ connections, isPlain }: { connections: number; isPlain: boolean }): Promise<Storm> {
    await using opened = new AsyncDisposableStack();
    const world = opened.use(await World.open({ accessTokenTtlSeconds: TOKEN_SECONDS }));
    world.provider.always('token', { delayMs: TOKEN_CALL_MS });
    const server = opened.use(await startPostgres15({ isDurable: true }));
    const database = opened.use(await server.cloneDatabase());
    const pooler = opened.use(await startPgbouncer(database, SESSIONS));
    const folder = opened.use(await makeFolders({}));
    const env = { ...newServiceEnv(), ...world.env, SVC_TRUSTED_PROXIES: '127.0.0.1/32' };
    const fleet = opened.use(await Fleet.start({ ...env, DATABASE_URL: pooler.url, SVC_DATA_DIR: folder.path }, INSTANCES));
    const [haproxy] = PROXY_PROGRAMS.filter(({ program }) => program === 'haproxy');
    if (haproxy === undefined) throw new Error('there is no configuration of HAProxy');
    const changes = isPlain ? [...LOGGED, PLAIN] : LOGGED;
    const proxy = opened.use(await startDeployedProxy(haproxy, fleet.urls, { changes }));
    const { url } = proxy;
    await world.setUp({ url, api: fleet.api, db: database.db }, connections);
    const load = new MixedLoad({ world, url, apiKey: env.SVC_BOOTSTRAP_API_KEY, perSecond: CALLS_PER_SECOND });
    return new Storm({ world, fleet, load, db: database.db, proxy }, opened.move());
  }

  /** Kills an instance and starts it again. */
  async kill(index: number): Promise<void> {
    this.kills.push(await this.fleet.kill(index));
    const atKill = await this.#owners();
    await this.fleet.start(index);
    await wait(REFRESHED_MS);
    // A living instance has ended its refresh by now, and a dead one's lease still stands.
    const now = await this.#owners();
    for (const [connectionId, owner] of atKill) if (now.get(connectionId) === owner) this.leftBehind.add(connectionId);
    this.world.avoid(this.leftBehind);
  }

  /** Returns the failed calls that were not in flight on a process when it was killed. */
  unexplained(): readonly Call[] {
    const servers = new Map([...this.#proxy.output().matchAll(LOG_LINE)].map(([, number, server]) => [Number(number), server]));
    return this.load.failed.filter((call) => !this.kills.some((kill) => isInFlight(call, servers.get(call.number), kill)));
  }

  async needReauth(): Promise<readonly string[]> {
    const rows = await this.db('connections').where({ state: 'needs_reauth' }).select('connection_id');
    return rows.map((row) => row.connection_id);
  }

  /** Returns the owner of each refresh that is under way or was left behind, by connection ID. */
  async #owners(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.db('refreshes')
      .join('connections', 'connections.id', 'refreshes.connection_id')
      .whereNotNull('refreshes.owner')
      .select('connections.connection_id as id', 'refreshes.owner');
    return new Map(rows.map(({ id, owner }) => [id, owner]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.load.stop();
    await this.#opened.disposeAsync();
  }
}

/**
 * Tells whether a call was in flight on a process when it was killed. If the call came over a kept connection, HAProxy neither
 * responds nor prints anything, but closes that connection at the same moment, so that the client repeats the call (RFC 9112 §9.3.1).
 */
function isInFlight({ outcome, begunAt, endedAt }: Call, server: string | undefined, kill: Kill): boolean {
  if (begunAt > kill.endedAt || endedAt < kill.at) return false;
  return server === kill.server || (server === undefined && outcome === CLOSED && endedAt < kill.endedAt + CLOSED_WITHIN_MS);
}
