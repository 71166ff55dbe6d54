import type { Reply } from '../../../ui/dashboard/app/replies.ts';
import type { DashboardScreen } from './screen.ts';
import { LONG, SETTINGS } from './settings-screens.ts';
import { GRACE, Refusal } from './stub-api.ts';

const NOW = new Date().toISOString();
const JIRA = { unique_key: 'jira', display_name: 'Jira', logo: 'logos/linear.svg' };
const MESSAGE: Reply<'listDeliveries'>['data'][number] = {
  id: 'msg_2',
  type: 'auth',
  operation: 'creation',
  success: true,
  connection_id: LONG,
  provider_config_key: 'jira',
  connection_name: 'Kelvin Ortega',
  integration: JIRA,
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
  { slot: 'primary', failures: 3, paused_at: NOW, pause_cause: 'it responded with 410 Gone', waiting: 52, oldest: NOW },
  { slot: 'secondary', failures: 20, paused_at: null, pause_cause: null, waiting: 3, oldest: NOW },
];
const WEBHOOKS = {
  'e/dev/settings': { data: SETTINGS },
  'e/dev/webhook-targets/failing': { data: [] },
  'e/dev/deliveries': {
    data: [MESSAGE, { ...MESSAGE, id: 'msg_1', status: 'delivered', response_status: 204, attempts: 1, duration_ms: 41 }],
    next_cursor: null,
  },
};

const INBOX = 'e/dev/webhook-inbox';
const INBOX_URL = `https://svc.northwind.example/sandbox/inbox/${SETTINGS.uuid}`;
const RECEIVED_BY_INBOX = {
  id: 7,
  received_at: NOW,
  headers: { 'webhook-id': 'msg_2b9x4Kf8', 'webhook-timestamp': '1768469400', 'webhook-signature': `v1,${LONG}` },
  payload: { type: 'auth', operation: 'creation', connectionId: 'kelvin' },
  bytes: 412,
  signature_valid: true,
};
const IN_INBOX = [
  RECEIVED_BY_INBOX,
  { ...RECEIVED_BY_INBOX, id: 6, payload: { type: LONG, text: LONG }, signature_valid: false },
  { ...RECEIVED_BY_INBOX, id: 5, payload: null, bytes: 70_000 },
];

const DELIVERY: Reply<'listReceived'>['data'][number] = {
  log_id: '019bc5d1-8000-7a0e-8f43-4bd1e6e2d6a1',
  ...{ at: NOW, events: 'issue.created', is_verified: true, is_forwarded: true, connections: 1, connection_id: 'kelvin' },
  ...{ refusal: null, provider_config_key: 'jira', connection_name: 'Kelvin Ortega', integration: JIRA },
};
const RECEIVED = [
  DELIVERY,
  { ...DELIVERY, log_id: '2', events: null, connections: 0, connection_id: null, is_forwarded: false },
  { ...DELIVERY, log_id: '3', events: LONG, is_verified: false, connections: 12, connection_id: null },
  {
    ...{ ...DELIVERY, log_id: '4', events: null, provider_config_key: LONG, integration: null },
    refusal: { code: 'webhook_invalid_signature', reason: 'the signature is not valid' },
  },
];

/** Screens of an environment's webhooks. */
export const WEBHOOK_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  webhooks: { path: 'e/dev/webhooks/sent', api: WEBHOOKS, shows: '204' },
  'webhooks-empty': {
    path: 'e/dev/webhooks/sent',
    api: { ...WEBHOOKS, 'e/dev/deliveries': { data: [], next_cursor: null } },
    shows: 'Nothing in the last 15 days',
  },
  'webhooks-no-events': {
    path: 'e/dev/webhooks/sent',
    api: {
      ...WEBHOOKS,
      'e/dev/settings': { data: { ...SETTINGS, on_new_connection: false } },
      'e/dev/deliveries': { data: [], next_cursor: null },
    },
    shows: 'No event is switched on',
  },
  'webhooks-waiting': {
    path: 'e/dev/webhooks/sent',
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
  'webhooks-removed': {
    path: 'e/dev/webhooks/endpoints',
    api: {
      ...WEBHOOKS,
      'e/dev/settings': { data: { ...SETTINGS, webhook_url: null } },
      'e/dev/webhook-targets/failing': { data: [{ ...FAILING[0], pause_cause: 'its URL was removed' }] },
    },
    shows: 'New events are not recorded for it until then.',
  },
  'webhooks-failing': {
    path: 'e/dev/webhooks/endpoints',
    api: {
      ...WEBHOOKS,
      'e/dev/settings': { data: { ...SETTINGS, webhook_url_secondary: ATTEMPT.url } },
      'e/dev/webhook-targets/failing': { data: FAILING },
    },
    shows: 'The last 20 attempts failed',
  },
  'webhooks-viewer': {
    path: 'e/dev/webhooks/endpoints',
    api: { ...WEBHOOKS, me: { data: { ...GRACE, role: 'viewer' } } },
    shows: 'Sent when',
  },
  'webhooks-production': {
    path: 'e/prod/webhooks/endpoints',
    api: {
      'e/prod/settings': { data: { ...SETTINGS, name: 'prod', is_production: true } },
      'e/prod/webhook-targets/failing': { data: [] },
      'e/prod/deliveries': { data: [], next_cursor: null },
      me: { data: { ...GRACE, role: 'developer' } },
    },
    shows: 'Ask an admin',
  },
  'webhooks-rotate': {
    path: 'e/dev/webhooks/endpoints',
    api: WEBHOOKS,
    act: (page) => page.getByRole('button', { name: 'Rotate' }).click(),
    shows: 'Rotate the signing key?',
  },
  'webhooks-message': {
    path: 'e/dev/webhooks/sent',
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
  'webhook-page': {
    path: 'e/dev/webhooks/sent/msg_2',
    api: {
      'e/dev/deliveries/msg_2': { data: { ...MESSAGE, status: 'failed', payload: '{"type":"auth"}', attempts: [ATTEMPT] } },
    },
    shows: 'Your application answered 503',
  },
  'webhook-not-accepted': {
    path: 'e/dev/webhooks/sent/msg_2',
    api: { 'e/dev/deliveries/msg_2': { data: { ...MESSAGE, payload: '{}', attempts: [{ ...ATTEMPT, status: 401 }] } } },
    shows: 'See whether it verifies the signature',
  },
  'webhook-gone': { path: 'e/dev/webhooks/sent/none', shows: 'doesn’t exist' },
  'webhooks-received': {
    path: 'e/dev/webhooks/received',
    api: { 'e/dev/received-webhooks': { data: RECEIVED, next_cursor: null } },
    shows: 'The signature is not valid.',
  },
  'webhooks-received-none': {
    path: 'e/dev/webhooks/received?outcome=refused',
    api: { 'e/dev/received-webhooks': { data: [], next_cursor: null } },
    shows: 'Nothing matches.',
  },
  inbox: { path: 'e/dev/webhooks/inbox', api: { [INBOX]: { data: IN_INBOX } }, shows: 'Signature not valid' },
  'inbox-empty': {
    path: 'e/dev/webhooks/inbox',
    api: { [INBOX]: { data: [] }, 'e/dev/settings': { data: { ...SETTINGS, inbox_url: INBOX_URL } } },
    shows: 'set the inbox as the webhook URL.',
  },
  'inbox-waiting': {
    path: 'e/dev/webhooks/inbox',
    api: {
      [INBOX]: { data: [] },
      'e/dev/settings': { data: { ...SETTINGS, inbox_url: INBOX_URL, webhook_url: INBOX_URL, webhook_url_since: NOW } },
    },
    shows: 'It waits: the inbox was set as the webhook URL',
  },
  'inbox-events-off': {
    path: 'e/dev/webhooks/inbox',
    api: {
      [INBOX]: { data: [] },
      'e/dev/settings': {
        data: { ...SETTINGS, inbox_url: INBOX_URL, webhook_url_secondary: INBOX_URL, on_new_connection: false },
      },
    },
    shows: 'all events are switched off.',
  },
  'inbox-broken': { path: 'e/dev/webhooks/inbox', api: { [INBOX]: new Refusal(500, 'server_error') }, shows: 'req_7f3a21c9' },
};
