import type { DashboardScreen } from './screen.ts';
import { GRACE, Refusal } from './stub-api.ts';

const NOW = new Date().toISOString();
export const LONG = '<b>backend</b> of the northern region '.repeat(4);
export const SETTINGS = {
  uuid: '0d3c9e4e-5f0f-4a52-9d4e-64d0c4f0a7a1',
  name: 'dev',
  is_production: false,
  callback_url: null,
  effective_callback_url: 'https://svc.northwind.example/oauth/callback',
  webhook_url: 'https://app.northwind.example/webhooks',
  webhook_url_secondary: null,
  webhook_url_since: NOW,
  inbox_url: null,
  on_new_connection: true,
  on_refresh: false,
  on_deletion: false,
};
const KEY = {
  id: 1,
  name: 'Default - Full access',
  scopes: ['environment:*'],
  created_at: NOW,
  last_used_at: NOW,
  expires_at: null,
  last4: '7f3a',
  created_by: 'Ada Lovelace',
};
const KEYS = [
  KEY,
  {
    ...KEY,
    id: 2,
    name: LONG,
    scopes: ['environment:proxy', 'environment:logs:read'],
    last_used_at: null,
    expires_at: NOW,
    created_by: LONG,
  },
];
const FOUND = { callback_url: '', expected: '', verdict: 'query_dropped', status: 301, location: null };
const LOGO = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 3"><path d="M0 0h9v3H0z" fill="teal"/></svg>')}`;
const LOOK = {
  brand_name: 'Northwind',
  brand_logo_url: LOGO,
  brand_color: '#0a7d4f',
  text_color: '#ffffff',
  contrast: 5.21,
  brand_radius: 8,
  brand_theme: 'system',
  brand_language: null,
  allowed_origins: ['https://app.northwind.example'],
  frame_ancestors: ["'self'", 'http://localhost:*', 'http://127.0.0.1:*'],
  return_urls: ['https://app.northwind.example/settings'],
};
const NO_LOOK = { ...LOOK, brand_name: null, brand_logo_url: null, brand_color: null, brand_radius: null, allowed_origins: [] };
const VARIABLES = { 'e/dev/variables': { data: [{ name: 'A'.repeat(255) }, { name: 'TRACKER_REGION' }] } };
const KEY_LIST = { 'e/dev/keys': { data: KEYS } };
/** Screens D14: the settings of an environment. */
export const SETTINGS_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  settings: { path: 'e/dev/settings', api: { 'e/dev/settings': { data: SETTINGS } }, shows: SETTINGS.uuid },
  'settings-unmark': {
    path: 'e/prod/settings',
    api: { 'e/prod/settings': { data: { ...SETTINGS, name: 'prod', is_production: true } } },
    act: (page) => page.getByRole('button', { name: 'Unmark as production' }).click(),
    shows: 'Unmark prod as production?',
  },
  'settings-broken': { path: 'e/dev/settings', api: { 'e/dev/settings': new Refusal(500, 'server_error') }, shows: 'Try again' },
  'settings-keys': { path: 'e/dev/settings/keys', api: KEY_LIST, shows: 'Full access' },
  'settings-keys-production': {
    path: 'e/prod/settings/keys',
    api: { 'e/prod/keys': { data: KEYS }, me: { data: { ...GRACE, role: 'developer' } } },
    shows: 'Ask an admin',
  },
  'settings-key-made': {
    path: 'e/dev/settings/keys',
    api: { ...KEY_LIST, 'POST e/dev/keys': { data: { ...KEY, secret: `svc_${'x'.repeat(60)}` } } },
    act: async (page) => {
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByLabel('Name', { exact: true }).fill('backend');
      await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
    },
    shows: 'Copy this key now. You won’t see it again.',
  },
  'settings-key-custom': {
    path: 'e/dev/settings/keys',
    api: KEY_LIST,
    act: async (page) => {
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByLabel('Name', { exact: true }).fill('backend');
      await page.getByLabel('Scopes').selectOption({ label: 'Custom' });
      await page.getByLabel('Read credentials').first().check();
      await page.getByLabel('Read credentials').first().uncheck();
      await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
    },
    shows: 'Choose what the key may do.',
  },
  'settings-keys-broken': {
    path: 'e/dev/settings/keys',
    api: { 'e/dev/keys': new Refusal(500, 'server_error') },
    shows: 'Try again',
  },
  'settings-key-roll': {
    path: 'e/dev/settings/keys',
    api: KEY_LIST,
    act: async (page) => {
      await page.getByRole('button', { name: 'Actions for Default' }).click();
      await page.getByRole('menuitem', { name: 'Roll key' }).click();
    },
    shows: 'Roll the key “Default - Full access”?',
  },
  'settings-connect-ui': { path: 'e/dev/settings/connect-ui', api: { 'e/dev/connect-ui': { data: LOOK } }, shows: '5.2 : 1 ✓' },
  'settings-connect-ui-empty': {
    path: 'e/dev/settings/connect-ui',
    api: { 'e/dev/connect-ui': { data: { ...NO_LOOK, return_urls: [] } } },
    shows: 'Upload a logo',
  },
  'settings-connect-ui-long': {
    path: 'e/dev/settings/connect-ui',
    api: {
      'e/dev/connect-ui': {
        data: {
          ...LOOK,
          brand_name: LONG,
          brand_color: '#ffe14d',
          return_urls: [`https://app.northwind.example/${'a'.repeat(120)}`],
        },
      },
    },
    shows: 'Links on white are darkened',
  },
  'settings-connect-ui-faults': {
    path: 'e/dev/settings/connect-ui',
    api: { 'e/dev/connect-ui': { data: LOOK } },
    act: async (page) => {
      await page.getByLabel('Primary colour', { exact: false }).first().fill('green');
      await page.getByLabel('Corner radius').fill('99');
      await page.getByRole('button', { name: 'Save' }).click();
    },
    shows: 'Enter six hexadecimal digits after #',
  },
  'settings-connect-ui-broken': {
    path: 'e/dev/settings/connect-ui',
    api: { 'e/dev/connect-ui': new Refusal(500, 'server_error') },
    shows: 'Try again',
  },
  'settings-variables': { path: 'e/dev/settings/variables', api: VARIABLES, shows: 'TRACKER_REGION' },
  'settings-variables-empty': {
    path: 'e/dev/settings/variables',
    api: { 'e/dev/variables': { data: [] } },
    shows: 'No variables yet',
  },
  'settings-variables-broken': {
    path: 'e/dev/settings/variables',
    api: { 'e/dev/variables': new Refusal(500, 'server_error') },
    shows: 'Try again',
  },
  'settings-variable-taken': {
    path: 'e/dev/settings/variables',
    api: VARIABLES,
    act: async (page) => {
      await page.getByRole('button', { name: 'Add variable' }).click();
      await page.getByLabel('Name', { exact: true }).fill('TRACKER_REGION');
      await page.getByRole('dialog').getByRole('button', { name: 'Add variable' }).click();
    },
    shows: 'There is a variable of this name.',
  },
  'settings-variable-replace': {
    path: 'e/dev/settings/variables',
    api: VARIABLES,
    act: async (page) => {
      await page.getByRole('button', { name: 'Actions for A' }).click();
      await page.getByRole('menuitem', { name: 'Replace value' }).click();
    },
    shows: 'Replace the value of A',
  },
  'settings-callback': {
    path: 'e/dev/settings/callback',
    api: {
      'e/dev/settings': { data: { ...SETTINGS, callback_url: 'https://app.northwind.example/oauth/callback' } },
      'POST e/dev/callback-url/check': ({ body }) => ({ data: { ...FOUND, ...Object(body) } }),
    },
    act: async (page) => {
      await page.getByLabel('Your callback URL').fill('https://app.northwind.example/not-saved-yet');
      await page.getByRole('button', { name: 'Check redirect' }).click();
    },
    shows: 'It drops the query',
  },
  'settings-callback-production': {
    path: 'e/prod/settings/callback',
    api: {
      'e/prod/settings': { data: { ...SETTINGS, name: 'prod', is_production: true } },
      me: { data: { ...GRACE, role: 'developer' } },
    },
    shows: 'Ask an admin',
  },
};
