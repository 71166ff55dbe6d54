import type { DashboardScreen } from './screen.ts';
import { LONG, SETTINGS } from './settings-screens.ts';
import { GRACE } from './stub-api.ts';

const NOW = new Date().toISOString();
const MESSAGE = {
  id: 'msg_2',
  type: 'auth',
  operation: 'creation',
  success: true,
  connection_id: LONG,
  provider_config_key: 'jira',
  status: 'failed',
  created_at: NOW,
  next_attempt_at: null,
  attempts: 9,
  response_status: 503,
  error: null,
  duration_ms: 1_204,
};
const ATTEMPT = {
  at: NOW,
  url: `https://app.northwind.example/${'a'.repeat(120)}`,
  status: 503,
  duration_ms: 41,
  error: null,
  is_replay: false,
};
const FAILING = [
  { slot: 'primary', failures: 3, paused_at: NOW, pause_cause: 'it responded with 410 Gone' },
  { slot: 'secondary', failures: 20, paused_at: null, pause_cause: null },
];
const WEBHOOKS = {
  'e/dev/settings': { data: SETTINGS },
  'e/dev/webhook-targets/failing': { data: [] },
  'e/dev/deliveries': {
    data: [MESSAGE, { ...MESSAGE, id: 'msg_1', status: 'delivered', response_status: 204, attempts: 1, duration_ms: 41 }],
    next_cursor: null,
  },
};

/** Screens of the webhooks in the settings of an environment. */
export const WEBHOOK_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  'settings-webhooks': { path: 'e/dev/settings/webhooks', api: WEBHOOKS, shows: '204' },
  'settings-webhooks-empty': {
    path: 'e/dev/settings/webhooks',
    api: { ...WEBHOOKS, 'e/dev/deliveries': { data: [], next_cursor: null } },
    shows: 'Nothing in the last 15 days',
  },
  'settings-webhooks-no-events': {
    path: 'e/dev/settings/webhooks',
    api: {
      ...WEBHOOKS,
      'e/dev/settings': { data: { ...SETTINGS, on_new_connection: false } },
      'e/dev/deliveries': { data: [], next_cursor: null },
    },
    shows: 'No event above is selected',
  },
  'settings-webhooks-waiting': {
    path: 'e/dev/settings/webhooks',
    api: {
      ...WEBHOOKS,
      'e/dev/deliveries': {
        data: [
          { ...MESSAGE, status: 'pending', next_attempt_at: new Date(Date.now() - 3 * 3_600_000).toISOString() },
          { ...MESSAGE, id: 'msg_1', response_status: null, error: 'expired', duration_ms: null },
        ],
        next_cursor: null,
      },
    },
    shows: 'Given up: waited too long',
  },
  'settings-webhooks-removed': {
    path: 'e/dev/settings/webhooks',
    api: {
      ...WEBHOOKS,
      'e/dev/settings': { data: { ...SETTINGS, webhook_url: null } },
      'e/dev/webhook-targets/failing': { data: [{ ...FAILING[0], pause_cause: 'its URL was removed' }] },
    },
    shows: 'New events are not recorded for it until then.',
  },
  'settings-webhooks-failing': {
    path: `e/dev/settings/webhooks?status=failed&connection_id=${'c'.repeat(60)}`,
    api: {
      ...WEBHOOKS,
      'e/dev/settings': { data: { ...SETTINGS, webhook_url_secondary: ATTEMPT.url } },
      'e/dev/webhook-targets/failing': { data: FAILING },
    },
    shows: 'The last 20 attempts failed',
  },
  'settings-webhooks-viewer': {
    path: 'e/dev/settings/webhooks',
    api: { ...WEBHOOKS, me: { data: { ...GRACE, role: 'viewer' } } },
    shows: 'Sent when',
  },
  'settings-webhooks-production': {
    path: 'e/prod/settings/webhooks',
    api: {
      'e/prod/settings': { data: { ...SETTINGS, name: 'prod', is_production: true } },
      'e/prod/webhook-targets/failing': { data: [] },
      'e/prod/deliveries': { data: [], next_cursor: null },
      me: { data: { ...GRACE, role: 'developer' } },
    },
    shows: 'Ask an admin',
  },
  'settings-rotate': {
    path: 'e/dev/settings/webhooks',
    api: WEBHOOKS,
    act: (page) => page.getByRole('button', { name: 'Rotate' }).click(),
    shows: 'Rotate the signing key?',
  },
  'settings-message': {
    path: 'e/dev/settings/webhooks',
    api: {
      ...WEBHOOKS,
      'e/dev/deliveries/msg_2': {
        data: {
          ...MESSAGE,
          payload: `{"id":12345678901234567890,"name":"${LONG}"}`,
          attempts: [ATTEMPT, { ...ATTEMPT, at: new Date(0).toISOString(), status: null, error: 'queue_full', duration_ms: 0 }],
        },
      },
    },
    act: (page) => page.locator('.row-link').first().click(),
    shows: '12345678901234567890',
  },
};
