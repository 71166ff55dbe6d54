import { Registry } from 'prom-client';
import type { ProviderDefinition, ProviderPlugin } from '#contract';
import { proxy as route } from '../../core/api/proxy/routes.ts';
import type { StoredCredentials } from '../../core/auth-modes/auth-mode.ts';
import type { StoredOAuth2 } from '../../core/auth-modes/oauth2/stored.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Integration } from '../../core/connections/integrations/integration.ts';
import { ServiceError } from '../../core/errors.ts';
import { Counters } from '../../core/journal/counters.ts';
import { type Clock, systemClock } from '../../core/kit/clock.ts';
import { createLogger, type Logger } from '../../core/kit/logger.ts';
import { createOutbound, type Outbound } from '../../core/kit/outbound.ts';
import type { ProxyDeps } from '../../core/proxy/deps.ts';
import { createProxy, type ProviderProxy } from '../../core/proxy/proxy.ts';
import { prepareUpstream, type Upstream } from '../../core/proxy/upstream.ts';
import type { StreamSpec } from '../../core/server/route.ts';
import type { KeyCaller } from '../../core/tenants/api-keys/caller.ts';
import { canary } from './canaries.ts';
import { type HttpEdge, startEdge } from './http-edge.ts';
import { oauth2Of } from './oauth2-of.ts';

export const PROXY_KEY = 'key-of-the-proxy';
export const OVERRIDE_KEY = 'key-with-override';

const SCOPES: Readonly<Record<string, readonly string[]>> = {
  [PROXY_KEY]: ['environment:proxy'],
  [OVERRIDE_KEY]: ['environment:proxy', 'environment:proxy:override'],
};

export interface LoggedOperation {
  readonly operation: string;
  readonly notes: { readonly level: string; readonly message: string; readonly facts: Readonly<Record<string, unknown>> }[];
  status: 'running' | 'success' | 'failure';
}

interface HarnessOptions {
  /** The field `proxy` of the provider definition. Its `base_url` is the address of the upstream. */
  readonly proxy: NonNullable<ProviderDefinition['proxy']>;
  readonly definition?: Partial<ProviderDefinition>;
  readonly integrationConfig?: Integration['integrationConfig'];
  readonly connectionConfig?: Connection['connectionConfig'];
  readonly outbound?: Outbound;
  readonly clock?: Clock;
  readonly clientPrefix?: string;
  readonly plugin?: ProviderPlugin;
  /** Default: OAuth 2 tokens. */
  readonly credentials?: StoredCredentials;
  readonly client?: Integration['client'];
  readonly log?: Logger;
  /** The time for which a request with a large body waits for free memory. */
  readonly bodyWaitMs?: number;
  /** The operation log. Default: one that appends to `operations` of the harness. */
  readonly activity?: ProxyDeps['activity'];
  readonly tracer?: ProxyDeps['tracer'];
}

/**
 * The proxy, called over real HTTP through an HTTP edge that serves nothing else. Its connection and credentials exist only in
 * memory.
 */
export interface ProxyHarness extends AsyncDisposable {
  readonly edge: HttpEdge;
  readonly url: string;
  readonly outbound: Outbound;
  readonly proxy: ProviderProxy;
  readonly operations: readonly LoggedOperation[];
  readonly touched: readonly number[];
  /** The connection with its current credentials. `nextToken` decides whether the proxy gets a new token after a 401. */
  readonly vault: Vault;
}

/** A connection in memory, which replaces the stored connection and `freshCredentials`. */
export class Vault {
  connection: Connection;
  /** The options of each call by which the proxy has asked for credentials. */
  readonly asked: { readonly after401?: number }[] = [];
  /** The token that the provider issues when the upstream has responded with 401. If undefined, the provider issues none. */
  nextToken: string | undefined;
  fault: ServiceError | undefined;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  get token(): string {
    return oauth2Of(this.connection).accessToken;
  }

  /** Replaces the access token, as another process that refreshes the credentials would. */
  renew(accessToken: string): void {
    const credentials = { ...oauth2Of(this.connection), accessToken };
    this.connection = { ...this.connection, credentials, generation: this.connection.generation + 1 };
  }

  async fresh(options: { readonly after401?: number }): Promise<Connection> {
    this.asked.push(options);
    if (this.fault !== undefined) throw this.fault;
    if (options.after401 === this.connection.generation && this.nextToken !== undefined) this.renew(this.nextToken);
    return this.connection;
  }
}

/** The headers that every call through the harness's connection needs. */
export const CALL_HEADERS: Readonly<Record<string, string>> = {
  authorization: `Bearer ${PROXY_KEY}`,
  'provider-config-key': 'fake',
  'connection-id': 'conn-1',
};

export async function startProxy(options: HarnessOptions): Promise<ProxyHarness> {
  const outbound = options.outbound ?? createOutbound({ allow: ['127.0.0.1/32'] });
  const connection = newConnection(options.connectionConfig);
  const vault = new Vault({ ...connection, credentials: options.credentials ?? connection.credentials });
  const integration = { ...newIntegration(options.integrationConfig), client: options.client ?? { scopes: [] } };
  const provider = { definition: { ...DEFINITION, ...options.definition, proxy: options.proxy } };
  const operations: LoggedOperation[] = [];
  const touched: number[] = [];
  const deps: ProxyDeps = {
    outbound,
    clock: options.clock ?? systemClock,
    random: () => 0,
    counters: new Counters(new Registry()),
    activity: options.activity ?? {
      begin: ({ operation }) => recordOperation(operations, operation),
      takesRoutine: () => true,
    },
    catalogue: { find: (slug) => provider && { slug, ...provider } },
    plugins: { of: () => options.plugin ?? { contract: 1 } },
    log: options.log ?? createLogger({ level: 'silent' }),
    clientPrefix: options.clientPrefix,
    tracer: options.tracer,
  };
  let entry: Upstream | undefined;
  const proxy = createProxy(deps, {
    find: async (_, providerConfigKey, connectionId) => {
      if (providerConfigKey !== integration.uniqueKey) throw new ServiceError('unknown_provider_config', 'no such integration');
      if (connectionId !== vault.connection.connectionId) throw new ServiceError('unknown_connection', 'no such connection');
      if (entry?.connection !== vault.connection) entry = prepareUpstream(deps, { integration, connection: vault.connection });
      return entry;
    },
    fresh: (_, options) => vault.fresh(options),
    touch: (id) => touched.push(id),
  });
  const edge = await startEdge([bound(proxy)], {
    clock: options.clock ?? systemClock,
    ...(options.bodyWaitMs !== undefined && { bodyWaitMs: options.bodyWaitMs }),
    authenticator: {
      apiKey: async (secret) => callerOf(secret),
      sessionToken: async () => undefined,
      memberOf: async () => undefined,
      environmentNamed: async () => undefined,
    },
  });
  return {
    edge,
    url: edge.url,
    outbound,
    proxy,
    operations,
    touched,
    vault,
    async [Symbol.asyncDispose]() {
      proxy[Symbol.dispose]();
      await edge[Symbol.asyncDispose]();
      await outbound[Symbol.asyncDispose]();
    },
  };
}

const BASE_URL = 'https://svc.example';

/** Returns the proxy's route bound to its services, because the edge of this harness does not pass services to routes. */
function bound(proxy: ProviderProxy): StreamSpec<unknown> {
  return {
    ...route,
    handle: (_, exchange) => route.handle({ proxy, baseUrl: BASE_URL }, exchange),
    upgrade: async (_, exchange) => route.upgrade?.({ proxy, baseUrl: BASE_URL }, exchange),
  };
}

const DEFINITION: ProviderDefinition = {
  display_name: 'Fake',
  docs: 'https://fake.example/docs',
  auth_mode: 'OAUTH2',
  authorization_url: 'https://fake.example/authorize',
  token_url: 'https://fake.example/token',
};

function callerOf(secret: string): KeyCaller | undefined {
  const scopes = SCOPES[secret];
  return scopes && { kind: 'environment', keyId: 1, name: 'key', accountId: 1, environmentId: 1, scopes };
}

function newIntegration(integrationConfig: Integration['integrationConfig'] = {}): Integration {
  const now = new Date();
  return {
    id: 1,
    environmentId: 1,
    uniqueKey: 'fake',
    provider: 'fake',
    displayName: 'Fake',
    forwardWebhooks: false,
    connectScreen: { guideUrl: null, position: null },
    client: { scopes: [] },
    integrationConfig,
    secretConfig: {},
    createdAt: now,
    updatedAt: now,
  };
}

function newConnection(connectionConfig: Connection['connectionConfig'] = {}): Connection {
  const now = new Date();
  return {
    id: 7,
    environmentId: 1,
    integrationId: 1,
    connectionId: 'conn-1',
    providerConfigKey: 'fake',
    provider: 'fake',
    credentials: {
      type: 'OAUTH2',
      accessToken: canary('proxy: access token'),
      refreshToken: canary('proxy: refresh token'),
      receivedAt: now.toISOString(),
      raw: {},
    } as StoredOAuth2,
    generation: 1,
    expiresAt: null,
    refreshAfter: null,
    refreshedAt: now,
    state: 'healthy',
    authErrorLogId: null,
    clientFingerprint: null,
    providerAccount: null,
    metadata: {},
    connectionConfig,
    secretConfig: {},
    tags: {},
    endUser: null,
    webhookUrlOverride: null,
    subscription: {},
    createdAt: now,
    updatedAt: now,
    lastFetchedAt: now,
  };
}

function recordOperation(operations: LoggedOperation[], operation: string): ReturnType<ProxyDeps['activity']['begin']> {
  const logged: LoggedOperation = { operation, notes: [], status: 'running' };
  operations.push(logged);
  return {
    id: String(operations.length),
    note: (level, message, facts = {}) => void logged.notes.push({ level, message, facts }),
    describe: (outcome) => void Object.assign(logged, { outcome }),
    end: (status) => void Object.assign(logged, { status }),
    endIn: async () => undefined,
  };
}
