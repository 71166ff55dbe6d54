import type { Activity, Attention } from '../../../ui/dashboard/pages/home/activity.ts';
import type { DashboardScreen } from './screen.ts';
import { Refusal } from './stub-api.ts';

const FIRST = Date.parse('2026-11-23T11:00:00.000Z');
const NONE = { total: 0, failed: 0 };
const QUIET = { proxy: NONE, refresh: NONE, delivery: NONE, script: NONE };
const NOTHING = { integration: null, count: null, event: null, target: null, is_paused: false };
const DESK = { unique_key: 'acme-desk', display_name: 'Acme Desk' };
const LONG = { unique_key: 'aufgaben', display_name: 'Aufgabenverwaltungszentrale_für_mittelständische_Unternehmen' };

function activity(attention: readonly Attention[], isQuiet = false): { data: Activity } {
  const buckets = Array.from({ length: 24 }, (_, index) => ({
    at: new Date(FIRST + index * 3_600_000).toISOString(),
    ...QUIET,
    ...(!isQuiet && {
      proxy: { total: 7_600 + ((index * 1_931) % 2_400), failed: index % 5 },
      refresh: { total: 400 + ((index * 37) % 60), failed: 0 },
      delivery: { total: 880 + ((index * 53) % 90), failed: index === 7 ? 12 : 0 },
    }),
  }));
  return { data: { buckets, attention: [...attention] } };
}

const ATTENTION: readonly Attention[] = [
  { ...NOTHING, kind: 'reconnect', integration: DESK, count: 4 },
  { ...NOTHING, kind: 'reconnect', integration: LONG, count: 1 },
  { ...NOTHING, kind: 'webhook_target', target: 'primary', is_paused: true },
  { ...NOTHING, kind: 'webhook_messages', count: 12 },
  { ...NOTHING, kind: 'script', integration: DESK, event: 'on-webhook' },
  { ...NOTHING, kind: 'client', integration: LONG },
];

/** Screens of the home page of an environment. */
export const HOME_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  home: { path: 'e/dev/home', api: { 'e/dev/activity': activity(ATTENTION) }, shows: 'Acme Desk have to connect again' },
  'home-in-production': {
    path: 'e/prod/home?period=14d',
    api: { 'e/prod/activity': activity([]) },
    shows: 'Nothing needs you right now.',
  },
  'home-quiet': { path: 'e/dev/home', api: { 'e/dev/activity': activity([], true) }, shows: 'Proxied calls' },
  'home-new': {
    path: 'e/dev/home',
    api: { 'e/dev/activity': activity([], true), 'e/dev/connections-count': { data: { total: 0, needs_attention: 0 } } },
    shows: 'Nothing has happened here yet',
  },
  'home-broken': {
    path: 'e/dev/home',
    api: { 'e/dev/activity': new Refusal(500, 'server_error') },
    shows: 'req_7f3a21c9',
  },
};
