import type { HealthServices } from '../../core/api/health.ts';
import { type ConnectSession, SESSION_DEFAULTS } from '../../core/connections/connect-sessions/session.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { type AppServices, createApp } from '../../core/server/app.ts';
import type { Authenticator } from '../../core/server/deps.ts';
import { createMetrics } from '../../core/server/metrics.ts';
import type { Route } from '../../core/server/route.ts';
import { listen, type RunningServer } from '../../core/server/server.ts';
import { TestClock } from './clock.ts';
import { type Client, client } from './http-client.ts';
import { rawExchange } from './raw-tcp.ts';

/** The properties that every route must declare, for tests in which their values do not matter. */
export const ROUTE = { access: 'public', tag: 'Test', summary: 'A route', responses: { 200: { description: 'Done.' } } } as const;
export const SESSION_TOKEN = `svc_connect_session_${'0'.repeat(64)}`;

const CALLERS: Readonly<Record<string, readonly string[]>> = {
  'key-of-everything': ['environment:*'],
  'key-of-reading': ['environment:connections:read'],
  'key-of-account': ['account:*'],
};

const SESSION: ConnectSession = { ...SESSION_DEFAULTS, id: 1, environmentId: 1, expiresAt: new Date(0) };

/** An authenticator that accepts the API keys in `CALLERS` and the session token `SESSION_TOKEN`. */
const authenticator: Authenticator = {
  async apiKey(secret) {
    const scopes = CALLERS[secret];
    if (scopes === undefined) return undefined;
    if (secret === 'key-of-account') return { kind: 'account', keyId: 3, name: 'key', accountId: 1, scopes };
    return { kind: 'environment', keyId: 1, name: 'key', accountId: 1, environmentId: 1, scopes };
  },
  async sessionToken(token) {
    return token === SESSION_TOKEN ? { kind: 'session', session: SESSION, allowedOrigins: [] } : undefined;
  },
  memberOf: async () => undefined,
  environmentNamed: async () => undefined,
};

export interface HttpEdge extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly server: RunningServer;
  readonly clock: TestClock;
  /** The lines of the process log, as written. */
  readonly log: readonly string[];
  as(key?: string): Client;
  /** Sends these bytes over a new TCP connection and returns the response as text. */
  raw(bytes: string, timeoutMs?: number): Promise<{ text: string; status: number; closed: boolean }>;
}

interface EdgeServices extends AppServices, HealthServices {
  readonly baseUrl: string;
}

interface EdgeOptions extends Partial<EdgeServices> {
  readonly headersTimeoutMs?: number;
  readonly lingerMs?: number;
}

/** Returns what the HTTP edge (the part of the service that handles HTTP) needs: these services, and stubs of all others. */
export function edgeServices(services: Partial<EdgeServices> = {}): EdgeServices {
  return {
    log: createLogger({ level: 'silent' }),
    clock: new TestClock(),
    metrics: createMetrics(),
    metricsToken: undefined,
    authenticator,
    repeatable: { serve: (inside, _call, handle) => handle(inside, async () => undefined) },
    describeFault: () => undefined,
    trustedProxies: [],
    failuresPerMinute: 0,
    baseUrl: 'https://svc.example',
    readiness: async () => ({ ready: true, reasons: [] }),
    ...services,
  };
}

/** Starts the HTTP edge on a loopback port with these routes, without the rest of the service. */
export async function startEdge(
  routes: readonly Route<EdgeServices>[],
  { headersTimeoutMs, lingerMs, ...services }: EdgeOptions = {},
): Promise<HttpEdge> {
  const log: string[] = [];
  const clock = new TestClock();
  const all = edgeServices({ log: createLogger({ level: 'debug', write: (line) => void log.push(line) }), clock, ...services });
  const app = createApp(all, routes);
  const server = await listen({
    app,
    port: 0,
    host: '127.0.0.1',
    log: all.log,
    ...(headersTimeoutMs !== undefined && { headersTimeoutMs }),
    ...(lingerMs !== undefined && { lingerMs }),
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    port: server.port,
    url,
    server,
    clock,
    log,
    as: (key) => client(url, key),
    async raw(bytes, timeoutMs = 10_000) {
      const response = await rawExchange(server.port, bytes, timeoutMs);
      const text = response.bytes.toString('latin1');
      return { text, status: Number(text.split(' ', 2)[1]), closed: response.closed };
    },
    [Symbol.asyncDispose]: () => server.close({ withinMs: 0 }),
  };
}
