import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import type { AuthRules } from '#contract';
import type { StoredCredentials } from '../../../core/auth-modes/auth-mode.ts';
import type { StoredOAuth2 } from '../../../core/auth-modes/oauth2/stored.ts';
import { type Catalogue, readCatalogue } from '../../../core/catalogue/catalogue.ts';
import { joinPlugins } from '../../../core/catalogue/plugins/plugins.ts';
import type { Connection } from '../../../core/connections/connection.ts';
import { connectionById, insertConnection } from '../../../core/connections/connection-store.ts';
import { insertIntegration } from '../../../core/connections/integrations/integration-store.ts';
import type { CredentialsDeps } from '../../../core/credentials/deps.ts';
import { writeRefresh } from '../../../core/credentials/due-store.ts';
import { Refreshing } from '../../../core/credentials/refreshing.ts';
import { Counters } from '../../../core/journal/counters.ts';
import { Activity } from '../../../core/journal/operation-log/activity.ts';
import { systemClock } from '../../../core/kit/clock.ts';
import { KeyRing, newKeyRingText } from '../../../core/kit/key-ring.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { createOutbound } from '../../../core/kit/outbound.ts';
import { newConnectionId } from '../../../core/kit/random-id.ts';
import { insertAccount, insertEnvironment } from '../../../core/tenants/environments/environment-store.ts';
import { TestClock } from '../../support/clock.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database.ts';
import { type FakeProvider, startFakeProvider } from '../../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../../support/folders.ts';
import { use, useEach } from '../../support/use.ts';

const PROVIDER = {
  display_name: 'Example',
  docs: 'https://docs.example',
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.authorization_url}',
  token_url: '${integrationConfig.token_url}',
  integration_config: {
    authorization_url: { type: 'string', title: 'Authorization URL', format: 'uri' },
    token_url: { type: 'string', title: 'Token URL', format: 'uri' },
  },
};

/**
 * When every instance in these tests refreshes: 900 seconds before the expiry, and never because the last proof of the
 * credentials is too old.
 */
export const RULE = { marginSeconds: 900, proofHours: null };
const LEASE_COLUMNS = {
  refresh_owner: 'owner',
  refresh_until: 'lease_until',
  due_at: 'due_at',
};

/** The tokens with which a connection is stored; times are relative to now. */
export interface NewTokens {
  readonly expiresInSeconds?: number | undefined;
  /** The time from the token response to the expiry; an hour by default. */
  readonly lifetimeSeconds?: number;
  readonly refreshToken?: string | undefined;
}

/** A database, a provider, and any number of instances of the part of the service that handles credentials. */
export class Gateway implements AsyncDisposable {
  readonly clock = new TestClock();
  /**
   * The IDs of instances whose database sessions the other instances see to be open. By default there are none, as behind a
   * pooler, where no session can be observed.
   */
  readonly standing = new Set<string>();
  readonly keys: KeyRing;
  readonly database: TestDatabase;
  readonly provider: FakeProvider;
  readonly #catalogue: Catalogue;
  readonly #stack: AsyncDisposableStack;
  readonly #integration: { readonly id: number; readonly environmentId: number };
  readonly #rules: AuthRules;
  #deps: CredentialsDeps | undefined;

  private constructor(parts: {
    database: TestDatabase;
    provider: FakeProvider;
    catalogue: Catalogue;
    stack: AsyncDisposableStack;
    integration: { id: number; environmentId: number };
    rules: AuthRules;
    keys: KeyRing;
  }) {
    this.database = parts.database;
    this.provider = parts.provider;
    this.keys = parts.keys;
    this.#catalogue = parts.catalogue;
    this.#stack = parts.stack;
    this.#integration = parts.integration;
    this.#rules = parts.rules;
  }

  /** @param database a database that several tests share; a new one by default */
  static async open({ database: shared, rules = {} }: { database?: TestDatabase; rules?: AuthRules } = {}): Promise<Gateway> {
    const stack = new AsyncDisposableStack();
    const database = shared ?? stack.use(await cloneDatabase());
    const provider = stack.use(await startFakeProvider({ pkce: 'ignored' }));
    const keys = KeyRing.parse(newKeyRingText());
    const folders = stack.use(await makeFolders({ 'example/provider.json': JSON.stringify(PROVIDER) }));
    const catalogue = await readCatalogue([folders.path]);
    const { id: environmentId } = await insertEnvironment(database.db, {
      accountId: await insertAccount(database.db, 'account'),
      name: newConnectionId(),
    });
    const integration = await insertIntegration(
      { db: database.db, keys },
      {
        environmentId,
        uniqueKey: 'example',
        provider: 'example',
        displayName: 'Example',
        forwardWebhooks: true,
        client: { clientId: provider.clientId, clientSecret: provider.clientSecret, scopes: [] },
        integrationConfig: { authorization_url: provider.authorizationUrl, token_url: provider.tokenUrl },
      },
    );
    if (integration === undefined) throw new Error('the integration was not made');
    return new Gateway({ database, provider, catalogue, stack, integration, rules, keys });
  }

  /** The dependencies of the instance `one`. */
  get deps(): CredentialsDeps {
    this.#deps ??= this.instance();
    return this.#deps;
  }

  /** Returns the dependencies of one process; instances share nothing but the database. */
  instance(instanceId = 'one'): CredentialsDeps {
    const { db } = this.database;
    const log = createLogger({ level: 'silent' });
    const plugins = new Map([['generic-oauth', { contract: 1 as const, auth: this.#rules }]]);
    return {
      db,
      keys: this.keys,
      log,
      instances: {
        newOwner: () => `${instanceId}/${randomUUID()}`,
        isOurs: (owner) => owner.startsWith(`${instanceId}/`),
        isGone: async () => false,
        stands: async (owner) => this.standing.has(owner.split('/', 1)[0] ?? ''),
        reconnectedAtMs: undefined,
        hearsNotices: true,
      },
      random: () => 0.5,
      outbound: this.#stack.use(createOutbound({ allow: ['127.0.0.1/32'] })),
      catalogue: this.#catalogue,
      plugins: joinPlugins(this.#catalogue, { plugins, faults: [] }),
      counters: new Counters(new Registry()),
      activity: this.#stack.use(new Activity({ db, log, clock: systemClock })),
      notices: {
        publish: async (trx, topic, key) => void (await trx.raw('select pg_notify(?, ?)', [topic, String(key)])),
        subscribe: () => () => undefined,
      },
      signals: {
        send: (_db, topic) => {
          if (topic !== 'refreshes') throw new Error('no environment has a webhook URL');
        },
        subscribe: () => () => undefined,
        areReceived: true,
      },
      clock: systemClock,
      refreshMarginSeconds: 900,
      refreshing: new Refreshing(),
    };
  }

  /** Creates a connection whose tokens the provider has issued. */
  async connect(tokens: NewTokens = {}): Promise<Connection> {
    const { expiresInSeconds = -1, lifetimeSeconds = 3600 } = tokens;
    const pair = this.provider.grants.redeem(this.provider.grants.issueCode({ redirectUri: 'r', scope: '' }), 'r', undefined);
    const refreshToken = 'refreshToken' in tokens ? tokens.refreshToken : pair?.refreshToken;
    const expiresAt =
      'expiresInSeconds' in tokens && tokens.expiresInSeconds === undefined ? undefined : Date.now() + expiresInSeconds * 1000;
    const credentials: StoredOAuth2 = {
      type: 'OAUTH2',
      accessToken: pair?.accessToken ?? '',
      ...(refreshToken !== undefined && { refreshToken }),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
      receivedAt: new Date((expiresAt ?? Date.now()) - lifetimeSeconds * 1000).toISOString(),
      raw: {},
    };
    const { id } = await this.#insert(credentials);
    return this.read(id);
  }

  async read(id: number): Promise<Connection> {
    const connection = await connectionById({ db: this.database.db, keys: this.keys }, this.#integration.environmentId, id);
    if (connection === undefined) throw new Error('there is no such connection');
    return connection;
  }

  /** Returns the columns of a connection and of its lease as they are in the database. */
  async row(id: number): Promise<Record<string, unknown>> {
    const { db } = this.database;
    const connection = await db('connections').where({ id }).first();
    return { ...connection, ...(await db('refreshes').where({ connection_id: id }).first(LEASE_COLUMNS)) };
  }

  async change(id: number, columns: Record<string, unknown>): Promise<void> {
    await this.database.db('connections').where({ id }).update(columns);
    const { environmentId } = this.#integration;
    await writeRefresh(this.database.db, { id, environmentId }, { ...RULE, origin: this.origin, keepsLease: true });
  }

  /** Returns the connections that are due and that no instance has claimed. */
  async unclaimed(): Promise<Connection[]> {
    const ids: number[] = await this.database
      .db('refreshes')
      .whereNull('owner')
      .whereRaw('due_at <= now()')
      .pluck('connection_id');
    return Promise.all(ids.map((id) => this.read(id)));
  }

  /** Gives the lease of a connection to an owner until `untilSeconds` from now; null takes the lease away. */
  async lease(id: number, owner: string | null, untilSeconds = 0): Promise<void> {
    const lease_until = owner === null ? null : this.fromNow(untilSeconds);
    await this.database
      .db('refreshes')
      .where({ connection_id: id })
      .update({ owner, leased_at: owner && this.fromNow(0), lease_until });
  }

  /** Returns an SQL expression for the time `seconds` from now by the database's clock. */
  fromNow(seconds: number) {
    return this.database.db.raw(`now() + ? * interval '1 second'`, [seconds]);
  }

  /** Advances the clock of the test, and moves the times in the database accordingly. */
  advance(seconds: number): Promise<void> {
    return this.clock.advance(seconds * 1000, this.database.db);
  }

  /** The origin of the provider's token endpoint. */
  get origin(): string {
    return new URL(this.provider.tokenUrl).origin;
  }

  get tokenCalls(): number {
    return this.provider.ledger.of('token').length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack[Symbol.asyncDispose]();
  }

  async #insert(credentials: StoredCredentials): Promise<{ id: number }> {
    const { id: integrationId, environmentId } = this.#integration;
    const connectionId = newConnectionId();
    const facts = { connectionConfig: {}, tags: {}, clientFingerprint: null, endUser: null, webhookUrlOverride: null };
    const deps = { db: this.database.db, keys: this.keys };
    const id = await insertConnection(deps, { environmentId, integrationId, connectionId, credentials, ...facts });
    if (id === undefined) throw new Error('there is such a connection already');
    await writeRefresh(deps.db, { id, environmentId }, { ...RULE, origin: this.origin, keepsLease: false });
    return { id };
  }
}

/** Creates a database for a suite, and on it a new gateway for each test. */
export function useGateway(suite: Mocha.Suite) {
  const database = use(suite, cloneDatabase);
  const gateway = useEach(suite, () => Gateway.open({ database }));
  return { database, gateway };
}
