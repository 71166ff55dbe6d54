import type { DashboardScreen } from './screen.ts';
import { Refusal } from './stub-api.ts';

const NOTHING = {
  api_key: { name: 'Default - Full access', last4: '7f3a' },
  integration: null,
  application: null,
  connection: null,
  webhook: null,
  has_webhook_url: false,
  on_new_connection: false,
  is_webhook_paused: false,
  webhook_held_until: null,
  has_received: false,
  has_proxied: false,
};
const CONNECTION = {
  connection_id: '3f0c1d2e-6f0e-4c2b-9a51-21c97f3a51aa',
  provider_config_key: 'sandbox',
  provider: 'sandbox-oauth2',
  auth_mode: 'OAUTH2',
};
const AT = '2026-11-20T10:42:07.113Z';
const WEBHOOK = { id: 'msg_1', type: 'auth', status: 'delivered', last_attempt: { at: AT, status: 204, error: null } };
const EVERYTHING = {
  api_key: { name: 'backend of the northern region '.repeat(4), last4: null },
  integration: 'sandbox',
  application: 'Northwind '.repeat(10).trim(),
  connection: CONNECTION,
  webhook: WEBHOOK,
  has_webhook_url: true,
  on_new_connection: true,
  is_webhook_paused: false,
  webhook_held_until: null,
  has_received: true,
  has_proxied: true,
};
const UNDELIVERED = {
  ...EVERYTHING,
  webhook: { ...WEBHOOK, status: 'pending', last_attempt: { at: AT, status: null, error: 'unreachable' } },
  has_received: false,
};
const HELD = { status: 'pending', last_attempt: null };
const SESSION = { token: 'x', connect_link: 'https://svc.northwind.example/connect/l#x', expires_at: AT };

/** Screen D2, which guides members through the first steps. */
export const START_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  'start-nothing': { path: 'e/dev/start', api: { 'e/dev/onboarding': { data: NOTHING } }, shows: 'Use the sandbox' },
  'start-everything': {
    path: 'e/dev/start',
    api: {
      'e/dev/onboarding': { data: EVERYTHING },
      'e/dev/webhook-messages/msg_1': { data: { payload: { type: 'auth', operation: 'creation', connectionId: 'kelvin' } } },
    },
    async act(page) {
      await page.getByText('6 of 6 done').waitFor();
      await page.getByText('Show payload').click();
    },
    shows: '"operation": "creation"',
  },
  'start-in-production': {
    path: 'e/prod/start',
    api: { 'e/prod/onboarding': { data: { ...NOTHING, api_key: null } } },
    shows: 'Set a URL first.',
  },
  'start-held': {
    path: 'e/dev/start',
    api: { 'e/dev/onboarding': { data: { ...EVERYTHING, webhook: { ...WEBHOOK, ...HELD }, webhook_held_until: AT } } },
    shows: 'are held back until',
  },
  'start-failing': {
    path: 'e/dev/start',
    api: { 'e/dev/onboarding': { data: UNDELIVERED }, 'POST e/dev/connect/sessions': { data: SESSION } },
    async act(page) {
      await page.getByText('It is tried again by itself.').waitFor();
      await page.evaluate('window.open = () => null');
      await page.getByRole('button', { name: 'Connect an account' }).click();
    },
    shows: 'The browser opened no tab',
  },
  'start-broken': {
    path: 'e/dev/start',
    api: { 'e/dev/onboarding': new Refusal(500, 'server_error') },
    shows: 'req_7f3a21c9',
  },
};
