import type { FullLogEntry, LogEntry } from '../../../ui/dashboard/pages/logs/log-entry.ts';
import type { DashboardScreen } from './screen.ts';
import { Refusal, SILENCE, type StubbedApi } from './stub-api.ts';

const FIRST = Date.parse('2026-11-23T10:42:07.113Z');

export function entry(index: number, part: Partial<LogEntry>): LogEntry {
  return {
    id: `019bc5d1-8000-7a0e-8f43-${String(index).padStart(12, '0')}`,
    type: 'proxy',
    operation: 'proxy',
    status: 'success',
    created_at: new Date(FIRST - index * 11_873).toISOString(),
    ended_at: new Date(FIRST - index * 11_873 + (part.duration_ms ?? 84)).toISOString(),
    duration_ms: 84,
    connection_id: '0b9f6f0e-6f0e-4c2b-9a51-21c97f3a51aa',
    connection_name: null,
    provider_config_key: 'acme-desk',
    integration: { unique_key: 'acme-desk', display_name: 'Acme Desk', logo: 'logos/linear.svg' },
    actor: { kind: 'api_key', id: '12', name: 'backend' },
    request_id: '0198c3a1-7e02-7c31-9b1e-6a0f4d2c8e55',
    summary: 'GET /tickets?page=4 → 200',
    http_status: 200,
    error_code: null,
    ...part,
  };
}

const LONG = 'Aufgabenverwaltungszentrale für mittelständische Unternehmen hat die Anfrage zurückgewiesen: ungültig';
export const ENTRIES: readonly LogEntry[] = [
  entry(0, { type: 'auth', operation: 'authorization', summary: 'Connected by session', duration_ms: 241 }),
  entry(1, {
    type: 'refresh',
    operation: 'refresh',
    status: 'failure',
    summary: 'invalid_grant from provider',
    duration_ms: 1_200,
  }),
  entry(2, { connection_name: 'Kelvin' }),
  entry(3, {
    type: 'webhook',
    operation: 'auth',
    status: 'retrying',
    summary: 'auth creation webhook → 503, next attempt in 30 s',
    connection_id: null,
  }),
  entry(4, {
    type: 'script',
    operation: 'post-connection-creation',
    status: 'cancelled',
    summary: '',
  }),
  entry(5, { provider_config_key: 'aufgabenverwaltung', status: 'failure', summary: LONG, connection_id: 'كيلفن' }),
  ...Array.from({ length: 8 }, (_, index) => entry(6 + index, {})),
];

const FULL: FullLogEntry = {
  ...entry(1, {
    ...{ type: 'refresh', operation: 'refresh', status: 'failure', summary: 'invalid_grant from provider' },
    duration_ms: 1_250,
  }),
  http_status: 400,
  error_code: 'invalid_grant',
  cause: {
    kind: 'status',
    host: 'auth.acme.example',
    origin: null,
    reason: null,
    said: 'invalid_grant',
    meaning: null,
    remedy: null,
  },
  messages: [
    { at: new Date(FIRST).toISOString(), level: 'info', message: 'the token expires in 42 s', facts: {} },
    {
      at: new Date(FIRST).toISOString(),
      level: 'warn',
      message: 'the provider took long to respond',
      facts: { duration_ms: 18_000 },
    },
    {
      at: new Date(FIRST).toISOString(),
      level: 'error',
      message: 'the provider refused the refresh token',
      facts: { status: 400, error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
    },
  ],
};

const DNS = {
  kind: 'dns' as const,
  host: 'auth.acme.example',
  origin: 'https://auth.acme.example',
  reason: 'this machine cannot resolve auth.acme.example (DNS): EAI_AGAIN',
  said: null,
  meaning: 'The provider does not respond.',
  remedy: 'Wait, then repeat the request.',
};

/** A refresh that found no address of the token endpoint. */
export const UNREACHABLE: FullLogEntry = {
  ...FULL,
  ...{ summary: DNS.reason, http_status: null, error_code: 'provider_unavailable', cause: DNS },
  messages: [
    ...FULL.messages.slice(0, 1),
    { at: new Date(FIRST).toISOString(), level: 'error', message: DNS.reason, facts: { host: DNS.host } },
  ],
};

/** An attempt to send a webhook, which the application refused. */
const NOT_ACCEPTED: FullLogEntry = {
  ...FULL,
  ...{ type: 'webhook', operation: 'auth', status: 'retrying', summary: 'auth creation webhook → 401', http_status: 401 },
  cause: { kind: 'status', host: null, origin: null, reason: null, said: null, meaning: null, remedy: null },
};

/** A proxied call that was not made, since the credentials had expired and could not be refreshed. */
const REFUSED: FullLogEntry = {
  ...FULL,
  ...{ type: 'proxy', operation: 'GET', summary: 'GET /tickets: the provider does not respond', http_status: null },
  ...{ error_code: 'provider_unavailable', cause: { ...DNS, kind: 'code', host: null, origin: null, reason: null } },
  messages: [
    {
      at: new Date(FIRST).toISOString(),
      level: 'error',
      message: 'the credentials expired 51 min ago, and the last refresh failed',
      facts: {},
    },
  ],
};

export const PROXIED: FullLogEntry = {
  ...entry(2, { connection_name: 'Kelvin', operation: 'GET', summary: 'GET /tickets → 200' }),
  cause: null,
  messages: [
    {
      at: new Date(FIRST).toISOString(),
      level: 'info',
      message: 'the provider responded',
      facts: { method: 'GET', path: '/proxy/tickets', durationMs: 84, status: 200 },
    },
  ],
};

const COUNTS = Array.from({ length: 24 }, (_, index) => ({
  at: new Date(FIRST - (23 - index) * 3_600_000).toISOString(),
  succeeded: 600 + ((index * 1_931) % 2_400),
  failed: index > 20 ? 400 : index % 5,
}));

/** Open streams of the operation log, and its counts, in both environments, on which nothing arrives. */
export const QUIET: StubbedApi = {
  'e/dev/logs/stream': SILENCE,
  'e/prod/logs/stream': SILENCE,
  'e/dev/log-counts': { data: COUNTS },
};
const PAGE = { data: ENTRIES, next_cursor: 'next' };

/** Screens D10 and D11: the operation log, and one operation. */
export const LOG_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  logs: { path: 'e/dev/logs', api: { ...QUIET, 'e/dev/logs': PAGE }, shows: 'Connected by session' },
  'logs-in-production': {
    path: 'e/prod/logs?type=refresh&integration=acme-desk',
    api: { ...QUIET, 'e/prod/logs': { data: ENTRIES.slice(0, 3), next_cursor: null } },
    shows: 'Connected by session',
  },
  'logs-loading': { path: 'e/dev/logs', api: { 'e/dev/logs': SILENCE }, shows: 'Loading…' },
  'logs-empty': {
    path: 'e/dev/logs',
    api: { ...QUIET, 'e/dev/logs': { data: [], next_cursor: null } },
    shows: 'The log is empty',
  },
  'logs-no-match': {
    path: 'e/dev/logs?search=nothing',
    api: { ...QUIET, 'e/dev/logs': { data: [], next_cursor: null } },
    shows: 'Nothing matches.',
  },
  'logs-broken': {
    path: 'e/dev/logs',
    api: { 'e/dev/logs': new Refusal(500, 'server_error') },
    shows: 'This could not be loaded',
  },
  'logs-menu': {
    path: 'e/dev/logs',
    api: { ...QUIET, 'e/dev/logs': PAGE },
    act: (page) => page.getByRole('button', { name: 'Environment: dev' }).click(),
    shows: 'Connected by session',
  },
  'logs-panel': {
    path: `e/dev/logs?open=${FULL.id}`,
    api: { ...QUIET, 'e/dev/logs': PAGE, [`e/dev/logs/${FULL.id}`]: { data: FULL } },
    shows: 'What happened',
  },
  operation: { path: `e/dev/logs/${FULL.id}`, api: { [`e/dev/logs/${FULL.id}`]: { data: FULL } }, shows: 'What happened' },
  'operation-proxied': {
    path: `e/dev/logs/${PROXIED.id}`,
    api: { [`e/dev/logs/${PROXIED.id}`]: { data: PROXIED } },
    shows: 'Copy as curl',
  },
  'operation-unreachable': {
    path: `e/dev/logs/${FULL.id}`,
    api: { [`e/dev/logs/${FULL.id}`]: { data: UNREACHABLE } },
    shows: 'getent hosts auth.acme.example',
  },
  'operation-refused': {
    path: `e/dev/logs/${FULL.id}`,
    api: { [`e/dev/logs/${FULL.id}`]: { data: REFUSED } },
    shows: 'provider_unavailable in the documentation',
  },
  'operation-not-accepted': {
    path: `e/dev/logs/${FULL.id}`,
    api: { [`e/dev/logs/${FULL.id}`]: { data: NOT_ACCEPTED } },
    shows: 'See whether it verifies the signature',
  },
  'operation-gone': { path: 'e/dev/logs/none', shows: 'doesn’t exist' },
};
