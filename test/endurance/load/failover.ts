import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDatabase } from '../../../core/db/database.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { sweep } from '../../support/canaries.ts';
import { type DatabaseRelay, relayTo } from '../../support/database-relay.ts';
import { makeFolders } from '../../support/folders.ts';
import { PostgresPair } from '../../support/postgres-pair.ts';
import { newServiceEnv } from '../../support/service-env.ts';
import { size } from '../../support/size.ts';
import { until } from '../../support/until.ts';
import { type Call, describeCalls, type Kind, SHARES } from './call.ts';
import { Fleet } from './fleet.ts';
import { forwarded, missingIn } from './ledgers.ts';
import { MixedLoad } from './mixed-load.ts';
import { World } from './world.ts';

const CALLS_PER_SECOND = 50;
const CONNECTIONS = 60;
const TOKEN_SECONDS = 360;
const TOKEN_CALL_MS = 200;

const WORKS_AGAIN_MS = 30_000;
const DELIVERED_MS = size(60_000, 240_000);
/** Imports are rare, so a short run may end without one. */
const KINDS = (Object.keys(SHARES) as Kind[]).filter((kind) => kind !== 'import');

interface Losses {
  /** The numbers of the provider's webhooks that the application has not received. */
  readonly webhooks: readonly number[];
  readonly connections: readonly string[];
  /** The connections of which the provider's newest refresh token is not stored. */
  readonly tokens: readonly string[];
}

interface Parts {
  readonly world: World;
  readonly pair: PostgresPair;
  readonly relay: DatabaseRelay;
  readonly fleet: Fleet;
  readonly load: MixedLoad;
}

/** An instance of the service under a mixed load, whose database is a primary and its standby behind one address. */
export class Failover implements AsyncDisposable {
  readonly world: World;
  readonly pair: PostgresPair;
  /** What the service's `DATABASE_URL` names. */
  readonly relay: DatabaseRelay;
  readonly fleet: Fleet;
  readonly load: MixedLoad;
  /** The standby's database, which becomes the only one. */
  readonly db: Knex;
  readonly #opened: AsyncDisposableStack;

  private constructor(parts: Parts, opened: AsyncDisposableStack) {
    this.world = parts.world;
    this.pair = parts.pair;
    this.relay = parts.relay;
    this.fleet = parts.fleet;
    this.load = parts.load;
    this.db = openDatabase({ url: parts.pair.standby.url, log: createLogger({ level: 'silent' }) });
    this.#opened = opened;
  }

  static async open({ isSynchronous }: { isSynchronous: boolean }): Promise<Failover> {
    await using opened = new AsyncDisposableStack();
    const world = opened.use(await World.open({ accessTokenTtlSeconds: TOKEN_SECONDS }));
    world.provider.always('token', { delayMs: TOKEN_CALL_MS });
    const pair = opened.use(await PostgresPair.open({ isSynchronous }));
    const relay = opened.use(await relayTo(pair.database));
    const folder = opened.use(await makeFolders({}));
    const env = { ...newServiceEnv(), ...world.env, DATABASE_URL: relay.database.url, SVC_DATA_DIR: folder.path };
    const fleet = opened.use(await Fleet.start(env, 1));
    const [url = ''] = fleet.urls;
    await world.setUp({ url, api: fleet.api, db: pair.database.db }, CONNECTIONS);
    const load = new MixedLoad({ world, url, apiKey: env.SVC_BOOTSTRAP_API_KEY, perSecond: CALLS_PER_SECOND });
    return new Failover({ world, pair, relay, fleet, load }, opened.move());
  }

  async needReauth(): Promise<readonly string[]> {
    const rows = await this.db('connections').where({ state: 'needs_reauth' }).select('connection_id');
    return rows.map((row) => row.connection_id);
  }

  /**
   * Waits until the service is ready and every kind of call has succeeded that began after `since`.
   *
   * @returns how many milliseconds that took
   */
  async worksAgain(since: number): Promise<number> {
    const { load, fleet } = this;
    const isReady = async () => (await fetch(`${fleet.urls[0]}/ready`)).status === 200;
    const succeed = () => KINDS.every((kind) => (load.lastSuccess.get(kind) ?? 0) > since);
    await until('every kind of call succeeds', async () => succeed() && (await isReady()), WORKS_AGAIN_MS);
    return performance.now() - since;
  }

  /** Waits until the application has all of these webhooks. @param acknowledged default: all that were acknowledged */
  async allArrive(acknowledged: ReadonlyMap<number, unknown> = this.load.acknowledged): Promise<void> {
    await until('webhooks arrive', () => missingIn(acknowledged, forwarded(this.world)).length === 0, DELIVERED_MS);
  }

  /** Returns what was acknowledged and is lost. */
  async losses(): Promise<Losses> {
    const { load, world } = this;
    return {
      webhooks: missingIn(load.acknowledged, forwarded(world)),
      connections: missingIn(load.imported, await this.#connectionIds()),
      tokens: await this.#staleTokens(),
    };
  }

  report(title: string, { webhooks, connections, tokens }: Losses, worksAfterMs: number): void {
    const { load } = this;
    console.log(
      `${title}: every kind of call works ${(worksAfterMs / 1_000).toFixed(1)} s after the promotion; ${load.sent} calls, ` +
        `${load.failed.length} failed; of what was acknowledged, ${webhooks.length} of ${load.acknowledged.size} webhooks, ` +
        `${connections.length} of ${load.imported.size} connections and ${tokens.length} refreshed tokens are lost`,
    );
  }

  /**
   * Asserts that failures were honest responses, and that the log holds no secret.
   *
   * @param mayNeedReauth whether calls may also have been told that the user must authorize again
   */
  expectHonest({ mayNeedReauth = false } = {}): void {
    const isHonest = ({ outcome, body }: Call) => outcome === 503 || (mayNeedReauth && body.includes('"invalid_credentials"'));
    const others = this.load.failed.filter((call) => !isHonest(call));
    expect(describeCalls(others), 'failed otherwise than with 503').to.deep.equal([]);
    expect(sweep({ output: this.fleet.output })).to.deep.equal([]);
  }

  async #connectionIds(): Promise<ReadonlySet<string>> {
    const rows = await this.db('connections').whereNull('deleted_at').select('connection_id');
    return new Set(rows.map((row) => row.connection_id));
  }

  async #staleTokens(): Promise<readonly string[]> {
    const { grants } = this.world.provider;
    const stale: string[] = [];
    for (const connectionId of await this.#connectionIds()) {
      const query = `provider_config_key=${this.world.key}&refresh_token=true`;
      const { body } = await this.fleet.api.get(`/connections/${connectionId}?${query}`);
      const stored = grants.describe(body.credentials?.refresh_token ?? '');
      if (stored === undefined || stored.generation !== grants.newestGeneration(stored.family)) stale.push(connectionId);
    }
    return stale;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.load.stop();
    await this.db.destroy();
    await this.#opened.disposeAsync();
  }
}
