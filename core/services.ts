import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Knex } from 'knex';
import { CompanyLogos } from './api/company-logos/company-logos.ts';
import { ClientSockets } from './api/connect/client-sockets.ts';
import type { HealthServices } from './api/health.ts';
import type { ApiServices } from './api/services.ts';
import type { Config } from './config/schema.ts';
import { ClientChannels } from './connect/flows/client-channels.ts';
import { FlowWatcher } from './connect/flows/flow-watcher.ts';
import { sessionCaller } from './connections/connect-sessions/session-caller.ts';
import { ConnectionCache } from './connections/connection-cache.ts';
import { LastAnswered } from './connections/integrations/last-answered.ts';
import { createTagKeyCache } from './connections/integrations/webhook-address.ts';
import { LastFetched } from './connections/last-fetched.ts';
import { expireLeases } from './credentials/abandoned-store.ts';
import type { CredentialsDeps } from './credentials/deps.ts';
import { freshCredentials, releaseLeases } from './credentials/fresh.ts';
import type { RefreshTimes } from './credentials/refresh-times.ts';
import { Refreshing } from './credentials/refreshing.ts';
import { DatabaseAvailability } from './db/availability.ts';
import { ClockCheck } from './db/clock-check.ts';
import { openDatabase } from './db/database.ts';
import { DatabaseTime } from './db/database-time.ts';
import { DiskSpace } from './db/disk-space.ts';
import { Instances, type InstancesOptions } from './db/instances.ts';
import { Listener } from './db/listener.ts';
import { migrate } from './db/migrate.ts';
import { createNotices } from './db/notices.ts';
import { WorkSignals } from './db/work-signals.ts';
import { DemoProvider } from './demo-provider/demo-provider.ts';
import type { DemoProviderDeps } from './demo-provider/deps.ts';
import { AuditMark } from './journal/audit-trail/mark.ts';
import { Counters } from './journal/counters.ts';
import { Activity } from './journal/operation-log/activity.ts';
import type { Clock } from './kit/clock.ts';
import type { DiskUsage } from './kit/disk-usage.ts';
import type { Resolver } from './kit/guarded-connect.ts';
import type { KeyRing } from './kit/key-ring.ts';
import type { KeyRingFile } from './kit/key-ring-file.ts';
import type { Logger } from './kit/logger.ts';
import { createOutbound } from './kit/outbound.ts';
import type { Dialler } from './kit/outbound-dial.ts';
import type { InsideOptions } from './kit/outbound-inside.ts';
import type { Tracer } from './kit/tracing.ts';
import type { MaintenanceDeps } from './operate/deps.ts';
import { checkEncryptionKeys, dropRetiredKeys } from './operate/keys/encryption-keys.ts';
import { type FollowerOptions, KeyFollower } from './operate/keys/key-follower.ts';
import { showState } from './operate/metrics/state-metrics.ts';
import { outboundProxyOf } from './operate/outbound-proxy.ts';
import { readinessOf } from './operate/readiness.ts';
import { readProviders } from './providers.ts';
import { createProxy } from './proxy/proxy.ts';
import { prepareUpstream, type Upstream } from './proxy/upstream.ts';
import { Compiler } from './scripts/compiler.ts';
import { ConnectionScripts } from './scripts/connection-scripts.ts';
import { ScriptRunner } from './scripts/script-runner.ts';
import { ScriptsDirectory } from './scripts/scripts-directory.ts';
import type { AppServices } from './server/app.ts';
import type { Authenticator } from './server/deps.ts';
import { Repeatable } from './server/idempotency/repeatable.ts';
import { createMetrics } from './server/metrics.ts';
import { type BuiltUi, readBuiltUi } from './server/pages/built-ui.ts';
import { factorRulesOf, keyLimitOf, scriptLimitsOf, settingsOf } from './settings.ts';
import { ApiKeyReader } from './tenants/api-keys/api-keys.ts';
import { LastUsed } from './tenants/api-keys/last-used.ts';
import { publicKeyCaller } from './tenants/api-keys/public-key-store.ts';
import { environmentByName } from './tenants/environments/environment-store.ts';
import type { MembersDeps } from './tenants/members/deps.ts';
import { memberOfToken } from './tenants/members/member-sessions.ts';
import { openIngress } from './webhook-ingress/open-ingress.ts';
import { receiveWebhook } from './webhook-ingress/receive.ts';
import { openWorkers } from './workers.ts';

const BUILT_UI = fileURLToPath(new URL('../ui/dist', import.meta.url));

/** Dependencies from outside: tests pass their own clock, randomness and network. */
interface Surroundings {
  /** Database URL. */
  readonly url: string;
  readonly keys: KeyRing;
  /** The file of the key ring, which is read again when keys are added; undefined: the keys never change in this process. */
  readonly keyFile?: KeyRingFile | undefined;
  readonly log: Logger;
  /** Absent while traces are off. */
  readonly tracer?: Tracer | undefined;
  /** Default: the database's clock. */
  readonly clock?: Clock | undefined;
  /** The clock of this machine, which is compared with the database's. Default: `Date.now`. */
  readonly machineNow?: (() => number) | undefined;
  readonly random?: (() => number) | undefined;
  /** Returns the milliseconds of a clock that never goes back. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** How names are looked up and addresses dialled. Default: by the operating system. */
  readonly resolve?: Resolver | undefined;
  readonly dial?: Dialler | undefined;
  /** True when no other process uses the database. Default: others may. */
  readonly isExclusive?: boolean;
  /** Returns whether the database server has reported since the last call that its disk is full. Default: unknown. */
  readonly hasRunOut?: (() => boolean) | undefined;
  /** The directory of the file in which the last entry of the audit trail is kept. Default: it is not kept. */
  readonly dataDir?: string | undefined;
  /** Reads the space of the database's disk. Default: it is unknown. */
  readonly disk?: (() => Promise<DiskUsage>) | undefined;
  /** The durations that govern refreshes. Default: those of production. */
  readonly refreshTimes?: RefreshTimes | undefined;
  /** Aborted when the process is to end: migrations stop after the one in progress. */
  readonly signal?: AbortSignal | undefined;
}

export type Services = AppServices &
  ApiServices &
  HealthServices &
  MaintenanceDeps & { readonly scriptsDirectory: ScriptsDirectory; readonly scriptRunner: ScriptRunner } & AsyncDisposable;

/** Opens all parts in order; one stack closes them in reverse. This is the only place where parts are connected to each other. */
export async function openServices(
  config: Config,
  { url, keys, keyFile, log, random = Math.random, now, resolve, dial, tracer, ...more }: Surroundings,
): Promise<Services> {
  await migrate({ url, log, signal: more.signal });
  await using opened = new AsyncDisposableStack();
  const metrics = createMetrics();
  const db = openDatabase({ url, poolSize: config.SVC_POOL_SIZE, log });
  opened.defer(() => db.destroy());
  const space = opened.use(new DiskSpace({ db, log, hasRunOut: more.hasRunOut }));
  const { clock, clockCheck } = await openClock(opened, { db, log }, more);
  const instanceId = randomUUID();
  const listener = opened.use(new Listener({ url, log }));
  const notices = createNotices(listener);
  opened.use(await openKeys({ db, keys, notices, log, instanceId }, { keyFile, ...more }));
  const availability = opened.use(new DatabaseAvailability({ url, log }));
  const receive: Receive = (...arrived) => receiveWebhook({ ...domain, ...ingress }, ...arrived);
  const { demoProvider, outbound } = openOutbound(opened, config, { db, keys, clock, log, resolve, dial, tracer, receive });
  const { lastFetched, lastUsed, ...records } = await openRecords(opened, { db, clock, log }, more);
  const tagKeys = opened.use(createTagKeyCache(now));
  const refreshes = await openRefreshes(opened, { db, listener, log, id: instanceId }, { ...more, config });
  const signals = opened.use(new WorkSignals({ db, notices, log, instances: refreshes.instances }));
  const scriptRunner = opened.use(new ScriptRunner({ limits: scriptLimitsOf(config), log }));

  const counters = new Counters(metrics.registry);
  const own = { counters, tagKeys, scriptRunner, compiler: new Compiler() };
  const ours = { ...refreshes, ...records, ...own, ...settingsOf(config, outbound) };
  const parts = { db, keys, log, tracer, clock, clockCheck, random, notices, signals, outbound, ...ours };
  showState(metrics.registry, { ...parts, space, availability, config, now });
  const domain = { ...parts, ...(await readProviders(config, keys, log)), touch: (id: number) => lastFetched.touch(id) };
  const cached = { db, keys, notices, availability, now };
  const connections = opened.use(new ConnectionCache({ ...cached, prepare: (found) => prepareUpstream(domain, found) }));
  const apiKeys = opened.use(new ApiKeyReader({ ...cached, log, clock, lastUsed, instances: refreshes.instances }));
  const proxy = opened.use(proxyOf(domain, connections));
  const scripts = new ConnectionScripts({ ...domain, proxy });
  const ingress = opened.use(openIngress({ ...domain, now }));
  const workers = await openWorkers(opened, { ...domain, config, url, keyFile, proxy, scripts });
  const pages = { ...openFollowers(opened, parts), ...openPages(config, parts), disk: more.disk };
  const edge = {
    demoProvider,
    metrics,
    keyLimit: keyLimitOf(config, clock),
    describeFault: space.describe,
    readiness: () => readinessOf({ ...parts, space }, () => availability.isDown && apiKeys.isServing && connections.isServing),
    authenticator: authenticator(apiKeys, parts, config),
    repeatable: new Repeatable({ db, keys, log }),
    scriptsDirectory: opened.use(new ScriptsDirectory(parts, config.SVC_SCRIPTS_DIR)),
  };
  const closing = opened.move();
  return {
    ...domain,
    ...edge,
    ...ingress,
    ...workers,
    ...pages,
    proxy,
    scripts,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Opens the parts that pages need: their built files, and the logos of companies. */
function openPages(
  { SVC_COMPANY_LOGOS: from }: Config,
  { db, outbound, log }: Pick<ApiServices, 'db' | 'outbound' | 'log'>,
): Pick<ApiServices, 'ui' | 'companyLogos'> {
  return { ui: readUi(log), companyLogos: new CompanyLogos({ db, outbound, from }) };
}

/** Opens the parts that watch flows. Those for clients of another product's API need `SVC_CLIENT_PREFIX`. */
function openFollowers(
  opened: AsyncDisposableStack,
  deps: ConstructorParameters<typeof ClientChannels>[0] & Pick<ApiServices, 'clientPrefix'>,
): Pick<ApiServices, 'flowWatcher' | 'clientChannels' | 'clientSockets'> {
  const flowWatcher = opened.use(new FlowWatcher(deps));
  const clientChannels = deps.clientPrefix === undefined ? undefined : opened.use(new ClientChannels(deps));
  const clientSockets = clientChannels && opened.use(new ClientSockets(clientChannels));
  return { flowWatcher, clientChannels, clientSockets };
}

/** Receives a delivery from the demo provider. It is not called before all parts are open. */
type Receive = DemoProviderDeps['receive'];
type OfCalls = Pick<Surroundings, 'resolve' | 'dial' | 'tracer'>;

/** Opens the outbound network access, and the demo provider behind it: calls to the demo provider do not leave the process. */
function openOutbound(
  opened: AsyncDisposableStack,
  config: Config,
  { resolve, dial, tracer, ...deps }: Omit<DemoProviderDeps, 'baseUrl' | 'wait'> & OfCalls,
) {
  const { SVC_BASE_URL: baseUrl, SVC_OUTBOUND_ALLOW: allow } = config;
  const demoProvider = new DemoProvider({ ...deps, baseUrl, wait });
  const respond: InsideOptions['respond'] = (...call) => void demoProvider.serve(...call);
  const inside = { below: new URL(`${baseUrl}/sandbox/`), respond };
  const proxy = outboundProxyOf(config);
  return { demoProvider, outbound: opened.use(createOutbound({ allow, proxy, resolve, dial, inside, tracer, log: deps.log })) };
}

/** Opens the clock, and compares the database's with this machine's. @throws ClockOff */
async function openClock(
  opened: AsyncDisposableStack,
  parts: { readonly db: Knex; readonly log: Logger },
  { clock, machineNow = Date.now }: Pick<Surroundings, 'clock' | 'machineNow'>,
) {
  const time = new DatabaseTime();
  const clockCheck = opened.use(await ClockCheck.start({ ...parts, time, machineNow }));
  return { clock: clock ?? time, clockCheck };
}

/** Checks the keys before anything else is read or written, and follows their rotation from then on. @throws KeyRingError */
async function openKeys(
  deps: FollowerOptions,
  { keyFile, isExclusive }: Pick<Surroundings, 'keyFile' | 'isExclusive'>,
): Promise<KeyFollower> {
  await checkEncryptionKeys(deps.db, deps.keys);
  if (isExclusive) await dropRetiredKeys(deps.db, keyFile);
  return KeyFollower.start({ ...deps, learnKeys: keyFile && (() => keyFile.learn(deps.keys)) });
}

/** Reads the built pages; undefined when there are none: the API is served without them. */
function readUi(log: Logger): BuiltUi | undefined {
  const ui = readBuiltUi(BUILT_UI);
  if (ui === undefined) log.warn('the pages for browsers have not been built: run "npm run build:ui"');
  return ui;
}

/** Opens the operation log, the file with the audit trail's last entry, and the parts that record when things were last used. */
async function openRecords(
  opened: AsyncDisposableStack,
  deps: { readonly db: Knex; readonly clock: Clock; readonly log: Logger },
  { dataDir }: Pick<Surroundings, 'dataDir'>,
) {
  const lastAnswered = opened.use(new LastAnswered(deps));
  const activity = opened.use(new Activity({ ...deps, onEnd: lastAnswered.note }));
  const auditMark = dataDir === undefined ? undefined : opened.use(new AuditMark({ ...deps, dataDir }));
  await auditMark?.begin();
  return { activity, auditMark, lastFetched: opened.use(new LastFetched(deps)), lastUsed: opened.use(new LastUsed(deps)) };
}

/** Opens the parts of this process that refreshes need. Closing them waits for the token calls in progress. */
async function openRefreshes(
  opened: AsyncDisposableStack,
  deps: Omit<InstancesOptions, 'outboundAllow'>,
  { config, refreshTimes, isExclusive = false }: Pick<Surroundings, 'refreshTimes' | 'isExclusive'> & { readonly config: Config },
) {
  const { db, log, id: instanceId } = deps;
  const instances = opened.use(new Instances({ ...deps, outboundAllow: config.SVC_OUTBOUND_ALLOW }));
  const refreshing = new Refreshing(refreshTimes);
  if (isExclusive) await expireLeases(db, refreshing.times);
  // Before this, no request is served and no worker runs: if this process is killed, others must be able to take over its work.
  await instances.settled();
  opened.defer(() => releaseLeases({ db, refreshing, log }));
  return { instanceId, instances, refreshing };
}

function proxyOf(
  deps: Parameters<typeof createProxy>[0] & CredentialsDeps & Pick<ApiServices, 'touch'>,
  connections: ConnectionCache<Upstream>,
) {
  return createProxy(deps, {
    find: (environmentId, providerConfigKey, connectionId) =>
      connections.find({ environmentId, providerConfigKey, connectionId }),
    fresh: (connection, options) => freshCredentials(deps, connection, options),
    touch: deps.touch,
  });
}

function authenticator(
  keys: ApiKeyReader,
  deps: Omit<Parameters<typeof sessionCaller>[0], 'ownOrigin'> & MembersDeps,
  config: Config,
): Authenticator {
  const { SVC_LEGACY_PUBLIC_KEY: takesPublicKeys, SVC_BASE_URL: baseUrl } = config;
  const ownOrigin = new URL(baseUrl).origin;
  return {
    apiKey: (secret) => keys.callerOf(secret),
    sessionToken: (token) => sessionCaller({ ...deps, ownOrigin }, token),
    memberOf: (token) => memberOfToken({ ...deps, ...factorRulesOf(config) }, token),
    environmentNamed: (accountId, name) => environmentByName(deps.db, accountId, name),
    ...(takesPublicKeys && { publicKey: (key: string) => publicKeyCaller({ db: deps.db, ownOrigin }, key) }),
  };
}
