import { CATALOGUE, DETAIL, LISTED, NO_CLIENT, NONE, ROWS, SETUP, SHARED, STATUS } from './integration-replies.ts';
import type { DashboardScreen } from './screen.ts';
import { GRACE, Refusal, SILENCE, type StubbedApi } from './stub-api.ts';

const PAGE = { data: ROWS, next_cursor: null, total: ROWS.length };
const EMPTY = { data: [], next_cursor: null, total: 0 };
const FOUND: StubbedApi = { 'e/dev/catalogue': { data: CATALOGUE }, 'e/dev/providers': { data: LISTED } };
const tab = (name: string): DashboardScreen => ({ path: `e/dev/integrations/acme-desk/${name}`, api: DETAIL });

/** Screens D3 to D6: the integrations, the catalogue, the setup of an integration, and one integration. */
export const INTEGRATION_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  integrations: { path: 'e/dev/integrations', api: { 'e/dev/integrations-overview': PAGE }, shows: '7 integrations' },
  'integrations-loading': { path: 'e/dev/integrations', api: { 'e/dev/integrations-overview': SILENCE }, shows: 'Loading…' },
  'integrations-empty': {
    path: 'e/dev/integrations',
    api: { 'e/dev/integrations-overview': EMPTY },
    shows: 'No integrations yet',
  },
  'integrations-broken': {
    path: 'e/dev/integrations',
    api: { 'e/dev/integrations-overview': new Refusal(500, 'server_error') },
    shows: 'This could not be loaded',
  },
  catalogue: { path: 'e/dev/integrations/new', api: FOUND, shows: 'Harbour HR' },
  'catalogue-no-match': {
    path: 'e/dev/integrations/new?search=nothing',
    api: FOUND,
    shows: 'Nothing matches “nothing”.',
  },
  'catalogue-matches': { path: 'e/dev/integrations/new?search=accounting', api: FOUND, shows: '5 providers' },
  configure: { path: 'e/dev/integrations/new/acme-desk', api: DETAIL, shows: 'What you need' },
  'configure-advanced': {
    path: 'e/dev/integrations/new/acme-desk',
    api: DETAIL,
    act: (page) => page.getByText('Advanced', { exact: true }).click(),
    shows: 'On the second page of the app’s settings.',
  },
  'configure-shared-app': {
    path: 'e/dev/integrations/new/acme-desk',
    api: { ...DETAIL, 'e/dev/providers/acme-desk/setup': { data: SHARED } },
    shows: 'Nothing to register: the shared developer app is registered already.',
  },
  'configure-hidden-fault': {
    path: 'e/dev/integrations/new/acme-desk',
    api: { ...DETAIL, 'POST e/dev/integrations': new Refusal(409, 'conflict') },
    async act(page) {
      await page.getByLabel('Client ID').fill('northwind');
      await page.getByRole('button', { name: 'Create integration' }).click();
      await page.getByLabel('Integration ID').and(page.locator(':focus')).waitFor();
    },
    shows: 'There is an integration “acme-desk-2” already.',
  },
  'configure-faults': {
    path: 'e/dev/integrations/new/acme-desk',
    api: {
      ...DETAIL,
      'POST e/dev/integrations': new Refusal(409, 'conflict'),
      'e/dev/integrations': { data: [{ unique_key: 'taken' }] },
    },
    async act(page) {
      await page.getByText('Advanced', { exact: true }).click();
      await page.getByLabel('Integration ID').fill('taken');
      await page.getByLabel('Integration ID').blur();
      await page.getByText('There is an integration “taken” already.').waitFor();
      await page.getByLabel('Integration ID').fill('acme-desk-2');
      await page.getByRole('button', { name: 'Create integration' }).click();
      await page.getByText('Enter the client ID of your app.').first().waitFor();
      await page.getByLabel('Client ID').fill('northwind');
      await page.getByRole('button', { name: 'Create integration' }).click();
    },
    shows: 'There is an integration “acme-desk-2” already.',
  },
  'integration-settings': tab('settings'),
  'integration-drift': {
    ...tab('settings'),
    async act(page) {
      await page.getByRole('button', { name: 'Check what was granted' }).click();
      await page.getByText('For 41 connections we don’t know what was granted.').waitFor();
    },
    shows: 'Lacks tickets:write',
  },
  'integration-new-client': {
    ...tab('settings'),
    async act(page) {
      await page.getByRole('button', { name: 'Replace: Client secret' }).click();
      // The new field takes the focus when it appears, which would interrupt typing in another field.
      await page.locator('input:focus[type=password]').waitFor();
      await page.getByLabel('Client ID').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('It can be replaced, not removed.').waitFor();
      await page.getByLabel('Client ID').fill('northwind-acme-desk-2');
    },
    // Connections that use the former client ID are not counted.
    shows: '501 connections use the current client ID',
  },
  'integration-webhooks': { ...tab('webhooks'), shows: 'The signature of the delivery is not valid.' },
  'integration-webhooks-none': {
    ...tab('webhooks'),
    api: { ...DETAIL, 'e/dev/integrations/acme-desk/received-webhooks': { data: [] } },
    shows: 'None is in the log of the last 15 days.',
  },
  'integration-webhooks-broken': {
    ...tab('webhooks'),
    api: { ...DETAIL, 'e/dev/integrations/acme-desk/received-webhooks': new Refusal(500, 'server_error') },
    shows: 'req_7f3a21c9',
  },
  'integration-webhooks-remove-secret': {
    ...tab('webhooks'),
    act: (page) => page.getByRole('button', { name: 'Remove secret' }).click(),
    shows: 'Remove the webhook secret?',
  },
  'integration-connect': { ...tab('connect'), shows: 'Create and change tickets' },
  'integration-scripts': { ...tab('scripts'), shows: 'post-connection-creation' },
  'integration-scripts-none': {
    ...tab('scripts'),
    api: { ...DETAIL, 'e/dev/integrations/acme-desk/scripts': { data: [] } },
    shows: 'New script',
  },
  'integration-delete': {
    ...tab('settings'),
    act: (page) => page.getByRole('button', { name: 'Delete…' }).click(),
    shows: 'Delete Acme Desk?',
  },
  'integration-shared-app': {
    ...tab('settings'),
    api: {
      ...DETAIL,
      me: { data: { ...GRACE, role: 'viewer' } },
      'e/dev/providers/acme-desk/setup': { data: SHARED },
      'e/dev/integrations/acme-desk/status': {
        data: { ...STATUS, connections: NONE, is_shared_app: true, client: NO_CLIENT, former_clients: [] },
      },
    },
    shows: 'Your role can look at integrations, not change them.',
  },
  'integration-without-provider': {
    ...tab('settings'),
    api: { ...DETAIL, 'e/dev/providers/acme-desk': new Refusal(404, 'not_found') },
    shows: 'is missing from the catalogue',
  },
  'integration-broken-provider': {
    ...tab('settings'),
    api: {
      ...DETAIL,
      'e/dev/providers/acme-desk': new Refusal(404, 'not_found'),
      'e/dev/integrations/acme-desk/status': { data: { ...STATUS, provider_fault: 'its plugin "acme-desk" is not loaded' } },
    },
    shows: 'Its plugin "acme-desk" is not loaded.',
  },
  'integration-no-app': {
    ...tab('settings'),
    api: {
      ...DETAIL,
      'e/dev/providers/acme-desk/setup': {
        data: {
          ...SETUP,
          app_need: 'none',
          has_secret_overlap: false,
          scopes_apply: 'next_token',
          way: 'form',
          callback_url: null,
        },
      },
    },
    shows: 'The form asks for “Region”.',
  },
  'integration-webhooks-unverified': {
    ...tab('webhooks'),
    api: {
      ...DETAIL,
      'e/dev/providers/acme-desk/setup': { data: { ...SETUP, webhook_keys: ['none'] } },
      'e/dev/settings': { data: { webhook_url: null, webhook_url_secondary: null } },
    },
    shows: 'The service doesn’t verify signatures of this provider.',
  },
  'integration-gone': { path: 'e/dev/integrations/none/settings', shows: 'All integrations' },
};
