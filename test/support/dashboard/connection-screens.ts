import type { Reply } from '../../../ui/dashboard/app/replies.ts';
import type { ConnectionRecord, Health, Status } from '../../../ui/dashboard/pages/connection/shown-connection.ts';
import { ENTRIES, entry, QUIET, UNREACHABLE as UNRESOLVED } from './log-screens.ts';
import type { DashboardScreen } from './screen.ts';
import { SETTINGS } from './settings-screens.ts';
import { GRACE, Refusal, SILENCE, type StubbedApi } from './stub-api.ts';

const AT = '2026-11-20T10:42:07.113Z';
const ID = '0b9f6f0e-6f0e-4c2b-9a51-21c97f3a51aa';
const LONG = 'Aufgabenverwaltungszentrale-für-mittelständische-Unternehmen-und-ihre-Angestellten';

export const RECORD: ConnectionRecord = {
  id: 12,
  connection_id: ID,
  provider_config_key: 'acme-desk',
  provider: 'acme-desk',
  errors: [],
  end_user: null,
  metadata: { plan: 'pro', seats: 12, note: LONG.repeat(3) },
  connection_config: { subdomain: 'northwind' },
  tags: { end_user_display_name: 'Margaret Hamilton', end_user_email: 'mh@apollo.example', plan: 'pro', long: LONG.repeat(3) },
  created_at: AT,
  updated_at: AT,
  last_fetched_at: AT,
  credentials: {},
};

export const HEALTH: Health = {
  state: 'healthy',
  cause: null,
  since: AT,
  next_try: null,
  is_refreshing: false,
  failed_tries: 0,
  expires_at: '2030-01-01T00:00:00.000Z',
  last_refresh_at: AT,
  call_status: null,
  provider_account: { id: '4711', email: 'mh@apollo.example' },
  log_id: null,
};

export const STATUS: Status = {
  integration: { display_name: 'Acme Desk', logo: 'logos/linear.svg' },
  auth_mode: 'OAUTH2',
  is_refreshable: true,
  last_fetched_at: AT,
  scopes: ['tickets:read', 'tickets:write'],
  webhook_url_override: null,
};

const CREDENTIALS = {
  type: 'OAUTH2',
  access_token: `at_${'x'.repeat(900)}`,
  refresh_token: 'rt_4f2a',
  raw: { access_token: `at_${'x'.repeat(900)}`, scope: 'tickets:read' },
};

/** The path of the connection in the dashboard's API, below `/api/ui/`. */
export const BELOW = `e/dev/connections/${ID}`;
export const PAGE = `e/dev/connections/acme-desk/${ID}`;

export const FOUND: StubbedApi = {
  [BELOW]: RECORD,
  [`${BELOW}/health`]: { data: HEALTH },
  [`${BELOW}/status`]: { data: STATUS },
  [`POST ${BELOW}/reveal`]: { data: { ...RECORD, credentials: CREDENTIALS } },
  'e/dev/logs': { data: ENTRIES, next_cursor: null },
};

/** The same responses as `FOUND`, but for a developer and in a production environment. */
export const PRODUCTION: StubbedApi = {
  ...Object.fromEntries(Object.entries(FOUND).map(([path, found]) => [path.replace('e/dev/', 'e/prod/'), found])),
  me: { data: { ...GRACE, role: 'developer' } },
};
export const PRODUCTION_PAGE = PAGE.replace('e/dev/', 'e/prod/');

const FAILED = {
  ...entry(1, {
    type: 'refresh',
    operation: 'refresh',
    status: 'failure',
    summary: 'the provider answered invalid_grant',
    error_code: 'invalid_grant',
  }),
  messages: [],
};
const UNREACHABLE = {
  ...FAILED,
  summary: 'this machine cannot resolve auth.acme.example (DNS): EAI_AGAIN',
  error_code: 'provider_unavailable',
};
const AGO = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const PAST = AGO(200);
const SOON = new Date(Date.now() + 3_600_000).toISOString();
const TOLD: Reply<'listDeliveries'>['data'][number] = {
  ...{ id: 'msg_1', type: 'auth', operation: 'refresh', success: false, connection_id: ID, provider_config_key: 'acme-desk' },
  ...{
    status: 'delivered',
    created_at: AGO(199),
    next_attempt_at: null,
    attempts: 1,
    duration_ms: 84,
    response_status: 200,
    error: null,
    connection_name: null,
    integration: { unique_key: 'acme-desk', ...STATUS.integration },
  },
};

/** Responses for a connection that is not well. @param told the webhooks by which the application was told */
function inTrouble(health: Partial<Health>, told: readonly object[] = [], settings: object = {}): StubbedApi {
  return {
    ...FOUND,
    [`${BELOW}/health`]: { data: { ...HEALTH, log_id: FAILED.id, since: PAST, last_refresh_at: AGO(260), ...health } },
    [`e/dev/logs/${FAILED.id}`]: { data: health.state === 'degraded' ? UNREACHABLE : FAILED },
    'e/dev/deliveries': { data: told, next_cursor: null },
    'e/dev/settings': {
      data: { ...SETTINGS, webhook_url: 'https://app.northwind.example/hooks', on_refresh: true, ...settings },
    },
  };
}

/** Responses for a connection that must be authorized again because the provider refused a refresh. */
export const BROKEN = inTrouble({ state: 'needs_reauth', cause: 'refused', expires_at: PAST, call_status: 424 }, [TOLD]);
const DEGRADED: Partial<Health> = {
  state: 'degraded',
  cause: 'provider_unavailable',
  next_try: new Date(Date.now() + 45_000).toISOString(),
  failed_tries: 14,
  expires_at: SOON,
  since: AGO(51),
};
export const SESSION = { token: 't', connect_link: `https://svc.northwind.example/connect/l#${'t'.repeat(60)}`, expires_at: AT };

const ANSWER = {
  request_id: '0198c3a1-7e02-7c31-9b1e-6a0f4d2c8e55',
  status: 404,
  duration_ms: 84,
  headers: { 'content-type': 'application/json', 'x-long': LONG.repeat(4) },
  body: JSON.stringify({ error: LONG.repeat(4) }),
  truncated: true,
};

/** Responses for a call that is tried in vain, and its entry in the log. */
export const FAILED_CALL: StubbedApi = {
  ...FOUND,
  'POST e/dev/proxy-try': new Refusal(502, 'provider_unreachable'),
  'e/dev/logs': ({ query }) => ({ data: query.get('search') === 'req_7f3a21c9' ? [UNRESOLVED] : [], next_cursor: null }),
  [`e/dev/logs/${UNRESOLVED.id}`]: { data: UNRESOLVED },
};

/** Screen D9: one connection. */
export const CONNECTION_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  connection: { path: `${PAGE}/overview`, api: FOUND, shows: 'tickets:read tickets:write' },
  'connection-revealed': {
    path: `${PAGE}/overview`,
    api: FOUND,
    act: (page) => page.getByRole('button', { name: 'Reveal' }).click(),
    shows: 'rt_4f2a',
  },
  'connection-production': {
    path: `${PRODUCTION_PAGE}/overview`,
    api: PRODUCTION,
    shows: 'In production only admins read credentials.',
  },
  'connection-reconnect': {
    path: `${PAGE}/overview`,
    api: { ...BROKEN, 'POST e/dev/connect/sessions/reconnect': { data: SESSION } },
    act: (page) => page.getByRole('button', { name: 'Reconnect', exact: true }).click(),
    shows: 'Anyone with it can reconnect',
  },
  'connection-broken': {
    path: PAGE,
    api: BROKEN,
    act: (page) => page.getByRole('button', { name: 'More actions' }).click(),
    shows: 'The provider answered invalid_grant.',
  },
  'connection-degraded': {
    path: `${PAGE}/settings`,
    api: inTrouble(DEGRADED),
    act: (page) => page.getByRole('button', { name: 'Delete connection' }).click(),
    shows: 'Delete the connection of Margaret Hamilton to Acme Desk?',
  },
  'connection-degraded-valid': {
    path: `${PAGE}/overview`,
    api: inTrouble(DEGRADED),
    shows: 'Not told yet: a day after the token expires',
  },
  'connection-degraded-expired': {
    path: `${PAGE}/overview`,
    api: inTrouble({ ...DEGRADED, expires_at: AGO(20), call_status: 503 }, [], { webhook_url: null }),
    shows: 'Calls fail with 503.',
  },
  'connection-degraded-unknown': {
    path: `${PAGE}/overview`,
    api: inTrouble({ ...DEGRADED, cause: 'too_many_request', expires_at: null, next_try: PAST, log_id: null }, [], {
      on_refresh: false,
    }),
    shows: 'Waits for a worker; was due',
  },
  'connection-expired': {
    path: `${PAGE}/overview`,
    api: inTrouble({ expires_at: PAST, call_status: 424, log_id: null }),
    shows: 'It cannot be refreshed, so calls fail with 424.',
  },
  'connection-imported': {
    path: `${PAGE}/overview`,
    api: { ...FOUND, [`${BELOW}/health`]: { data: { ...HEALTH, last_refresh_at: null } } },
    shows: 'No refresh is recorded',
  },
  'connection-key': {
    path: `${PAGE}/overview`,
    api: {
      ...FOUND,
      [BELOW]: { ...RECORD, tags: {} },
      [`${BELOW}/health`]: { data: { ...HEALTH, expires_at: null } },
      [`${BELOW}/status`]: {
        data: { ...STATUS, auth_mode: 'API_KEY', is_refreshable: false, scopes: null, last_fetched_at: null },
      },
    },
    shows: 'never',
  },
  'connection-configuration': { path: `${PAGE}/configuration`, api: FOUND, shows: 'Connection configuration' },
  'connection-proxy': {
    path: `${PAGE}/proxy`,
    api: { ...FOUND, 'POST e/dev/proxy-try': { data: ANSWER } },
    act: (page) => page.getByRole('button', { name: 'Send request' }).click(),
    shows: 'Only the first 64 KB are shown.',
  },
  'connection-proxy-failed': {
    path: `${PAGE}/proxy`,
    api: FAILED_CALL,
    act: (page) => page.getByRole('button', { name: 'Send request' }).click(),
    shows: 'Cause: DNS',
  },
  'connection-logs': { path: `${PAGE}/logs`, api: FOUND, shows: 'Connected by session' },
  'connection-all-logs': {
    path: `e/dev/logs?integration=acme-desk&connection_id=${ID}`,
    api: { ...FOUND, ...QUIET, 'e/dev/integrations/acme-desk': { data: STATUS.integration } },
    shows: 'Connection: Margaret Hamilton',
  },
  'connection-loading': { path: `${PAGE}/overview`, api: { ...FOUND, [BELOW]: SILENCE }, shows: 'Loading…' },
  'connection-gone': {
    path: `${PAGE}/overview`,
    api: { [BELOW]: new Refusal(404, 'unknown_connection') },
    shows: 'doesn’t exist (any more)',
  },
};
