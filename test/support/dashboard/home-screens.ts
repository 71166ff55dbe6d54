import type { Activity, Attention } from '../../../ui/dashboard/pages/home/activity.ts';
import type { DashboardScreen } from './screen.ts';
import { Refusal } from './stub-api.ts';

const FIRST = Date.parse('2026-11-23T11:00:00.000Z');
const NONE = { total: 0, failed: 0 };
const QUIET = { proxy: NONE, refresh: NONE, received: NONE, delivery: NONE, script: NONE };
export const NOTHING: Omit<Attention, 'kind'> = {
  ...{ integration: null, count: null, total: null, free: null, expired: null, share_before: null, since: null, until: null },
  ...{ event: null, target: null, is_paused: false, name: null, is_account_key: false, cause: null, summary: null, log_id: null },
};
const LOG = '019bc5d1-8000-7a0e-8f43-4bd1e6e2d6a1';
const AGO = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const DESK = { unique_key: 'acme-desk', display_name: 'Acme Desk' };
const LONG = { unique_key: 'aufgaben', display_name: 'Aufgabenverwaltungszentrale_für_mittelständische_Unternehmen' };

const LOGO = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';
const shown = (one: typeof DESK) => ({ ...one, logo: LOGO });
const FAILURES: Activity['failures'] = [
  {
    ...{ type: 'refresh', integration: shown(DESK), log_id: LOG, count: 143, latest_at: AGO(1) },
    summary: 'this machine cannot resolve api.acme.example (DNS): EAI_AGAIN',
  },
  { ...{ type: 'proxy', integration: shown(LONG), log_id: '2', count: 1, latest_at: AGO(6) }, summary: 'GET /tasks → 503' },
  { ...{ type: 'webhook', integration: null, log_id: '3', count: 2, latest_at: AGO(75) }, summary: 'the target is paused' },
];
const BUSIEST: Activity['busiest'] = [
  { integration: shown(DESK), total: 7_402, failed: 2_496 },
  { integration: shown(LONG), total: 2_598, failed: 1 },
];
const BUSIEST_WELL = BUSIEST.map((one) => ({ ...one, failed: Math.min(2, one.failed) }));
const COUNTS = { healthy: 104, degraded: 11, needs_reauth: 8, pending: 3, total: 126, needs_attention: 8 };
const WELL = { healthy: 123, degraded: 0, needs_reauth: 0, pending: 3, total: 126, needs_attention: 0 };

/** @param isQuiet true: nothing happened; false: something fails in the last two hours, if there is something to attend to */
export function activity(attention: readonly Attention[], isQuiet = false): { data: Activity } {
  const isFailing = attention.length > 0;
  const buckets = Array.from({ length: 24 }, (_, index) => ({
    at: new Date(FIRST + index * 3_600_000).toISOString(),
    ...QUIET,
    ...(!isQuiet && {
      proxy: { total: 7_600 + ((index * 1_931) % 2_400), failed: isFailing && index > 21 ? 2_900 + index : index % 5 },
      refresh: { total: 400 + ((index * 37) % 60), failed: isFailing && index > 21 ? 143 - index : 0 },
      received: { total: 850 + ((index * 31) % 80), failed: index === 9 ? 12 : 0 },
      script: { total: 12, failed: isFailing && index === 23 ? 12 : 0 },
      delivery: { total: 880 + ((index * 53) % 90), failed: index === 7 ? 12 : 0 },
    }),
  }));
  return {
    data: {
      buckets,
      attention: [...attention],
      ...(isQuiet
        ? { failures: [], busiest: [] }
        : { failures: FAILURES.slice(isFailing ? 0 : 1), busiest: isFailing ? BUSIEST : BUSIEST_WELL }),
    },
  };
}

const ATTENTION: readonly Attention[] = [
  { ...NOTHING, kind: 'disk', free: 4_100_000_000, total: 48_000_000_000 },
  {
    ...{ ...NOTHING, kind: 'degraded', integration: DESK, count: 11, expired: 8, since: AGO(51) },
    ...{ cause: 'provider_unavailable', summary: 'this machine cannot resolve api.acme.example (DNS): EAI_AGAIN', log_id: LOG },
  },
  {
    ...{ ...NOTHING, kind: 'webhook_target', target: 'primary', is_paused: true, name: 'app.northwind.example' },
    ...{ count: 52, since: AGO(75), cause: 'it answered 410 Gone' },
  },
  { ...NOTHING, kind: 'reconnect', integration: DESK, count: 7, cause: 'refused', since: AGO(200) },
  { ...NOTHING, kind: 'reconnect', integration: LONG, count: 1, cause: 'expired', since: AGO(5_000) },
  {
    ...{ ...NOTHING, kind: 'failures', event: 'proxy', count: 5_845, total: 18_072, share_before: 0.0003, since: AGO(120) },
    ...{ integration: DESK, cause: 'provider_unavailable', log_id: LOG },
  },
  {
    ...NOTHING,
    kind: 'subscription',
    integration: DESK,
    count: 3,
    summary: 'webhooks could not be registered: 403 from the provider',
    log_id: LOG,
    since: AGO(100),
  },
  {
    ...NOTHING,
    kind: 'refused',
    integration: DESK,
    count: 12,
    summary: 'the signature is not valid',
    log_id: LOG,
    since: AGO(100),
  },
  { ...NOTHING, kind: 'webhook_messages', count: 12, since: AGO(4_000) },
  { ...NOTHING, kind: 'script', integration: DESK, event: 'on-webhook', since: AGO(12) },
  { ...NOTHING, kind: 'api_key', name: 'backend-eu', until: new Date(Date.now() + 3 * 86_400_000).toISOString(), since: AGO(1) },
  { ...NOTHING, kind: 'client', integration: LONG },
];
const MORE: readonly Attention[] = [
  { ...NOTHING, kind: 'work', event: 'webhook', count: 40, since: AGO(30) },
  { ...NOTHING, kind: 'degraded', integration: DESK, count: 1, expired: 0, since: AGO(1) },
  { ...NOTHING, kind: 'webhook_target', target: 'secondary', name: 'audit.northwind.example', count: 3, since: AGO(10) },
  { ...NOTHING, kind: 'failures', event: 'refresh', count: 61, total: 61, share_before: null, since: AGO(70) },
  { ...NOTHING, kind: 'api_key', name: 'backend-us', until: AGO(120), since: AGO(121), is_account_key: true },
];

/** Screens of the home page of an environment. */
export const HOME_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  home: {
    path: 'e/dev/home',
    api: { 'e/dev/activity': activity(ATTENTION), 'e/dev/connections-count': { data: COUNTS } },
    shows: '7 connections of Acme Desk have to be connected again by their users',
  },
  'home-more-trouble': { path: 'e/dev/home', api: { 'e/dev/activity': activity(MORE) }, shows: '40 webhooks are overdue' },
  'home-in-production': {
    path: 'e/prod/home?period=14d',
    api: { 'e/prod/activity': activity([]) },
    shows: 'Nothing needs you right now.',
  },
  'home-quiet': {
    path: 'e/dev/home',
    api: { 'e/dev/activity': activity([], true), 'e/dev/connections-count': { data: WELL } },
    shows: 'Proxied calls',
  },
  'home-new': {
    path: 'e/dev/home',
    api: { 'e/dev/activity': activity([], true), 'e/dev/connections-count': { data: { total: 0, needs_attention: 0 } } },
    shows: 'Nothing has happened in this time',
  },
  'home-broken': {
    path: 'e/dev/home',
    api: { 'e/dev/activity': new Refusal(500, 'server_error') },
    shows: 'req_7f3a21c9',
  },
};
