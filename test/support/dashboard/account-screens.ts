import { AUDIT_ENTRIES } from './audit-entries.ts';
import type { DashboardScreen } from './screen.ts';
import { GRACE, Refusal } from './stub-api.ts';

const CHROME =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/604.1';
const NOW = new Date().toISOString();
const DAY_MS = 24 * 60 * 60_000;
const YESTERDAY = new Date(Date.now() - DAY_MS).toISOString();
const NEXT_WEEK = new Date(Date.now() + 6 * DAY_MS).toISOString();
const SESSIONS = [
  { id: 3, user_agent: CHROME, address: '192.0.2.14', created_at: '2026-11-20T08:00:00Z', last_seen_at: NOW, is_current: true },
  { id: 2, user_agent: PHONE, address: '2001:db8::7', created_at: '2026-11-18T18:31:00Z', last_seen_at: NOW, is_current: false },
  {
    id: 1,
    user_agent: 'curl',
    address: '198.51.100.2',
    created_at: '2026-03-01T08:00:00Z',
    last_seen_at: NOW,
    is_current: false,
  },
];

const MEMBERS = {
  members: [
    {
      id: 1,
      name: 'Grace Hopper',
      email: 'grace@northwind.example',
      role: 'admin',
      has_password: true,
      has_sso: false,
      has_factor: true,
      created_at: NOW,
    },
    {
      id: 3,
      name: 'Ada Lovelace',
      email: 'ada@acme.example',
      role: 'admin',
      has_password: true,
      has_sso: false,
      has_factor: false,
      created_at: NOW,
    },
    {
      id: 2,
      name: '<b>Grace</b>'.repeat(9),
      email: `${'g'.repeat(80)}@acme.example`,
      role: 'viewer',
      has_password: false,
      has_sso: true,
      has_factor: false,
      created_at: NOW,
    },
  ],
  invitations: [{ email: 'kay@acme.example', role: 'developer', expires_at: NEXT_WEEK }],
};
const KEY = {
  id: 1,
  name: 'provisioning',
  scopes: ['account:*'],
  created_at: NOW,
  last_used_at: YESTERDAY,
  expires_at: NEXT_WEEK,
  last4: null,
  created_by: null,
};
const KEYS = [
  KEY,
  { ...KEY, id: 2, name: '<b>nightly</b> '.repeat(12), scopes: ['account:environments:list'], expires_at: YESTERDAY },
];
const INSTANCE = {
  version: '1.0.0',
  base_url: 'https://svc.acme.example',
  database: 'embedded',
  encryption_key: { current: 'k2', others: ['k1'] },
  log_retention_days: 15,
  log_max_mb: 4096,
  company_logos: 'own',
  sign_in: { passwords: true, second_factor: 'admins', provider: null },
};
const PROVIDER = {
  name: '<b>Acme SSO</b> '.repeat(4),
  issuer: `https://id.acme.example/${'realm'.repeat(20)}`,
  allowed_domains: ['acme.example', `${'a'.repeat(60)}.example`],
  admin_group: 'platform',
};

const NO_FACTORS = { data: { factors: [], recovery_codes_left: null, no_passkeys: null } };

/** Screens D15: the settings of the member and of the account. */
export const ACCOUNT_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  'account-sessions': { path: 'account/sessions', api: { 'me/sessions': { data: SESSIONS } }, shows: 'Chrome on macOS' },
  'account-password-refused': {
    path: 'account/security',
    api: { 'me/factors': NO_FACTORS, 'PUT me/password': new Refusal(401, 'invalid_login') },
    act: async (page) => {
      await page.getByLabel('Current password').fill('not this one');
      await page.getByLabel('New password').fill('correct horse battery');
      await page.getByRole('button', { name: 'Change password' }).click();
    },
    shows: 'This is not your current password.',
  },
  'account-members': { path: 'account/members', api: { 'account/members': { data: MEMBERS } }, shows: 'kay@acme.example' },
  'account-members-sso': {
    path: 'account/members',
    api: {
      'account/members': { data: MEMBERS },
      'account/instance': { data: { ...INSTANCE, sign_in: { passwords: false, second_factor: 'all', provider: PROVIDER } } },
    },
    act: (page) =>
      page
        .getByLabel('Role of Ada Lovelace')
        .selectOption('viewer')
        .then(() => undefined),
    shows: 'decides who is an admin',
  },
  'account-member-remove': {
    path: 'account/members',
    api: {
      'account/members': { data: MEMBERS },
      'account/instance': { data: { ...INSTANCE, sign_in: { passwords: true, second_factor: 'off', provider: PROVIDER } } },
    },
    act: async (page) => {
      await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
    },
    shows: 'can become a member again',
  },
  'account-invited': {
    path: 'account/members',
    api: {
      'account/members': { data: MEMBERS },
      'POST account/invitations': { data: { link: 'https://svc.test/join#token=x' } },
    },
    act: async (page) => {
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      await page.getByLabel('E-mail').fill('alan@acme.example');
      await page.getByRole('button', { name: 'Make invitation link' }).click();
    },
    shows: 'Invitation link for alan@acme.example',
  },
  'account-confirm-elsewhere': {
    path: 'account/members',
    api: {
      me: { data: { ...GRACE, has_password: false } },
      setup: {
        data: { needed: false, has_setup_link: false, password: false, oidc: { name: 'Northwind SSO' }, insecure: false },
      },
      'account/members': { data: MEMBERS },
      'POST account/invitations': new Refusal(403, 'password_needed'),
    },
    act: async (page) => {
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      await page.getByLabel('E-mail').fill('alan@acme.example');
      await page.getByRole('button', { name: 'Make invitation link' }).click();
    },
    shows: 'Continue with Northwind SSO',
  },
  'account-menu': {
    path: 'account/sessions',
    api: { 'me/sessions': { data: SESSIONS } },
    act: async (page) => {
      const menu = page.getByRole('button', { name: 'Menu' });
      if (await menu.isVisible()) await menu.click();
      await page.getByRole('button', { name: 'Grace Hopper' }).click();
    },
    shows: 'grace@northwind.example',
  },
  'account-environments': { path: 'account/environments', shows: 'Production' },
  'account-keys': { path: 'account/keys', api: { 'account/keys': { data: KEYS } }, shows: 'Environments: list' },
  'account-keys-empty': { path: 'account/keys', api: { 'account/keys': { data: [] } }, shows: 'No API key' },
  'account-keys-broken': {
    path: 'account/keys',
    api: { 'account/keys': new Refusal(500, 'server_error') },
    shows: 'Try again',
  },
  'account-key-roll': {
    path: 'account/keys',
    api: { 'account/keys': { data: KEYS } },
    act: async (page) => {
      await page.getByRole('button', { name: 'Actions for provisioning' }).click();
      await page.getByRole('menuitem', { name: 'Roll key' }).click();
    },
    shows: 'The new one expires then, too',
  },
  'account-key-revoke': {
    path: 'account/keys',
    api: { 'account/keys': { data: KEYS } },
    act: async (page) => {
      await page.getByRole('button', { name: 'Actions for provisioning' }).click();
      await page.getByRole('menuitem', { name: 'Revoke' }).click();
    },
    shows: 'No other key has full access.',
  },
  'account-audit': {
    path: 'account/audit',
    api: { 'account/audit': { data: AUDIT_ENTRIES, next_cursor: null }, 'account/members': { data: MEMBERS } },
    shows: 'read the credentials',
  },
  'account-audit-filtered': {
    path: 'account/audit?action=member.join&actor=member&actor_id=3&since=2026-01-15T09:00:00Z',
    api: { 'account/audit': { data: [], next_cursor: null }, 'account/members': { data: MEMBERS } },
    shows: 'Nothing matches.',
  },
  'account-for-admins': {
    path: 'account/members',
    api: { me: { data: { ...GRACE, role: 'viewer' } } },
    shows: 'Your role (viewer) can’t do this. Ask an admin.',
  },
  'account-audit-empty': {
    path: 'account/audit',
    api: { 'account/audit': { data: [], next_cursor: null }, 'account/members': { data: MEMBERS } },
    shows: 'Nothing has been recorded yet',
  },
  'account-environment-made': {
    path: 'account/environments',
    api: {
      'POST environments': { data: { uuid: '0', name: 'staging', is_production: false, api_key: `svc_${'x'.repeat(60)}` } },
    },
    act: async (page) => {
      await page.getByRole('button', { name: 'Add environment' }).click();
      await page.getByLabel('Name', { exact: true }).fill('staging');
      await page.getByRole('dialog').getByRole('button', { name: 'Add environment' }).click();
    },
    shows: 'Copy this key now. You won’t see it again.',
  },
  'account-environment-refused': {
    path: 'account/environments',
    api: {
      'POST environments': new Refusal(400, 'invalid_body', [
        { path: ['callback_url'], code: 'invalid', message: 'must be an https URL' },
      ]),
    },
    act: async (page) => {
      await page.getByRole('button', { name: 'Add environment' }).click();
      await page.getByLabel('Name', { exact: true }).fill('staging');
      await page.getByLabel('Callback URL').fill('http://a.example/cb');
      await page.getByRole('dialog').getByRole('button', { name: 'Add environment' }).click();
    },
    shows: 'must be an https URL',
  },
  'account-instance-sso': {
    path: 'account/instance',
    api: {
      'account/instance': { data: { ...INSTANCE, sign_in: { passwords: false, second_factor: 'all', provider: PROVIDER } } },
    },
    shows: 'Of nobody: sign-in by password is off',
  },
  'account-instance-broken': {
    path: 'account/instance',
    api: { 'account/instance': new Refusal(500, 'server_error') },
    shows: 'Try again',
  },
  'account-instance-without-database': {
    path: 'account/instance',
    api: { 'account/instance': new Refusal(503, 'storage_unavailable', [], 'the database does not respond') },
    shows: 'The database does not respond.',
  },
  'account-instance': { path: 'account/instance', api: { 'account/instance': { data: INSTANCE } }, shows: 'k2' },
};
