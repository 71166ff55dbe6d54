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

/** D2. */
export const START_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  'start-nothing': { path: 'e/dev/start', api: { 'e/dev/onboarding': { data: NOTHING } }, shows: 'Use the sandbox' },
  'start-everything': { path: 'e/dev/start', api: { 'e/dev/onboarding': { data: EVERYTHING } }, shows: '5 of 5 done' },
  'start-broken': {
    path: 'e/dev/start',
    api: { 'e/dev/onboarding': new Refusal(500, 'server_error') },
    shows: 'req_7f3a21c9',
  },
};
