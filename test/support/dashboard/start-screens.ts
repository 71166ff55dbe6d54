import type { DashboardScreen } from './screen.ts';
import { Refusal } from './stub-api.ts';

const NOTHING = { has_api_key: true, integration: null, connection: null, webhook: null, has_proxied: false };
const CONNECTION = {
  connection_id: '3f0c1d2e-6f0e-4c2b-9a51-21c97f3a51aa',
  provider_config_key: 'sandbox',
  provider: 'sandbox-oauth2',
};
const EVERYTHING = {
  has_api_key: true,
  integration: 'sandbox',
  connection: CONNECTION,
  webhook: { id: 'msg_1', type: 'auth', status: 'delivered' },
  has_proxied: true,
};

const LONG = 'a-name-without-any-space-'.repeat(8);
const INBOX = 'e/dev/webhook-inbox';
const MESSAGE = {
  id: 7,
  received_at: '2026-11-20T10:42:07.113Z',
  headers: { 'webhook-id': 'msg_2b9x4Kf8', 'webhook-timestamp': '1768469400', 'webhook-signature': `v1,${LONG}` },
  payload: { type: 'auth', operation: 'creation', connectionId: 'kelvin' },
  bytes: 412,
  signature_valid: true,
};
const MESSAGES = [
  MESSAGE,
  { ...MESSAGE, id: 6, payload: { type: LONG, text: LONG }, signature_valid: false },
  { ...MESSAGE, id: 5, payload: null, bytes: 70_000 },
];

/** D2, and the inbox that it uses. */
export const START_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  'start-nothing': { path: 'e/dev/start', api: { 'e/dev/onboarding': { data: NOTHING } }, shows: 'Use the sandbox' },
  'start-everything': { path: 'e/dev/start', api: { 'e/dev/onboarding': { data: EVERYTHING } }, shows: '5 of 5 done' },
  inbox: { path: 'e/dev/inbox', api: { [INBOX]: { data: MESSAGES } }, shows: 'Signature not valid' },
  'inbox-empty': { path: 'e/dev/inbox', api: { [INBOX]: { data: [] } }, shows: 'Nothing has arrived yet' },
  'inbox-broken': { path: 'e/dev/inbox', api: { [INBOX]: new Refusal(500, 'server_error') }, shows: 'req_7f3a21c9' },
  'start-broken': {
    path: 'e/dev/start',
    api: { 'e/dev/onboarding': new Refusal(500, 'server_error') },
    shows: 'req_7f3a21c9',
  },
};
