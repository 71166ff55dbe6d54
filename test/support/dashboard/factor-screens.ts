import type { Page } from 'playwright-core';
import { qrRows } from '../../../core/tenants/members/factors/totp.ts';
import type { DashboardScreen } from './screen.ts';
import { GRACE, Refusal } from './stub-api.ts';

const NOW = new Date().toISOString();
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const URI = `otpauth://totp/svc:grace%40northwind.example?issuer=svc&secret=${SECRET}`;
const TOTP = { secret: SECRET, uri: URI, qr: qrRows(URI) };
const CODES = Array.from({ length: 10 }, (_, at) => `3k8v-01tq-zm5c-9y2${at}`);
const NONE = { factors: [], recovery_codes_left: null, no_passkeys: null };
const APP = { id: 1, kind: 'totp', name: 'Authenticator app', created_at: NOW, last_used_at: NOW };
const PASSKEY = { id: 2, kind: 'passkey', name: '<b>Laptop</b> '.repeat(12), created_at: NOW, last_used_at: null };
const BOTH = { factors: [APP, PASSKEY], recovery_codes_left: 3, no_passkeys: null };
const STEP = { awaits: 'factor', email: GRACE.email, factor_kinds: ['totp'] };
const WITH_FACTOR = { ...GRACE, factor_kinds: ['totp', 'passkey'] as const };

const click = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();
const addApp = async (page: Page) => {
  await click('Add authenticator app')(page);
  await page.getByRole('img', { name: 'QR code' }).waitFor();
};
const enterCode = async (page: Page) => page.getByLabel('Code from your authenticator app').fill('287 082');

/** Screens of the second factor: signing in with it, enrolling, listing, removing. */
export const FACTOR_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  'second-step-code': { path: 'login/factor?return=e/dev/logs', api: { 'login/factor': { data: STEP } }, shows: GRACE.email },
  'second-step-passkey': {
    path: 'login/factor',
    api: { 'login/factor': { data: { ...STEP, factor_kinds: ['totp', 'passkey'] } } },
    shows: 'Use a recovery code',
  },
  'second-step-refused': {
    path: 'login/factor',
    api: { 'login/factor': { data: STEP }, 'POST login/factor': new Refusal(401, 'invalid_login') },
    act: async (page) => {
      await enterCode(page);
      await click('Sign in')(page);
    },
    shows: 'This code isn’t right',
  },
  'second-step-locked': {
    path: 'login/factor',
    api: { 'login/factor': { data: STEP }, 'POST login/factor': new Refusal(429, 'too_many_request') },
    act: async (page) => {
      await enterCode(page);
      await click('Sign in')(page);
    },
    shows: 'Too many attempts.',
  },
  'second-step-recovery': {
    path: 'login/factor',
    api: { 'login/factor': { data: STEP } },
    act: click('Use a recovery code'),
    shows: 'One of the ten that you saved',
  },
  'second-step-without-passkeys': {
    path: 'login/factor',
    api: { 'login/factor': { data: { ...STEP, factor_kinds: [] } } },
    shows: 'Your passkeys do not work at this address',
  },
  'second-step-over': {
    path: 'login/factor?return=e/dev/logs',
    api: { 'login/factor': new Refusal(401, 'signed_out') },
    shows: 'Keep me signed in',
  },
  enrol: {
    path: 'e/dev/home',
    api: { me: { data: { ...GRACE, must_enrol: true } }, 'me/factors': { data: NONE } },
    shows: 'Set up a second factor',
  },
  'account-security': { path: 'account/security', api: { 'me/factors': { data: NONE } }, shows: 'Add passkey' },
  'account-security-factors': {
    path: 'account/security',
    api: { me: { data: WITH_FACTOR }, 'me/factors': { data: BOTH } },
    shows: '3 of 10 left',
  },
  'account-security-no-passkeys': {
    path: 'account/security',
    api: { 'me/factors': { data: { ...NONE, no_passkeys: 'no_https' } } },
    shows: 'Passkeys need https',
  },
  'account-security-broken': {
    path: 'account/security',
    api: { 'me/factors': new Refusal(500, 'server_error') },
    shows: 'Try again',
  },
  'account-security-elsewhere': {
    path: 'account/security',
    api: { me: { data: { ...GRACE, has_password: false } } },
    shows: 'Set up a second factor at the service with which you sign in.',
  },
  'account-app': {
    path: 'account/security',
    api: { 'me/factors': { data: NONE }, 'POST me/factors/totp': { data: TOTP } },
    act: addApp,
    shows: 'Enter this secret in the app',
  },
  'account-app-refused': {
    path: 'account/security',
    api: {
      'me/factors': { data: NONE },
      'POST me/factors/totp': { data: TOTP },
      'POST me/factors/totp/confirm': new Refusal(401, 'invalid_login'),
    },
    act: async (page) => {
      await addApp(page);
      await enterCode(page);
      await click('Add app')(page);
    },
    shows: 'This code isn’t right',
  },
  'account-recovery-codes': {
    path: 'account/security',
    api: {
      'me/factors': { data: NONE },
      'POST me/factors/totp': { data: TOTP },
      'POST me/factors/totp/confirm': { data: { recovery_codes: CODES } },
    },
    act: async (page) => {
      await addApp(page);
      await enterCode(page);
      await click('Add app')(page);
    },
    shows: 'Save your recovery codes',
  },
  'account-passkey': {
    path: 'account/security',
    api: { 'me/factors': { data: NONE } },
    act: click('Add passkey'),
    shows: 'To tell it from others',
  },
  'account-passkey-not-made': {
    path: 'account/security',
    api: { 'me/factors': { data: NONE }, 'POST me/factors/passkeys': { data: { challenge: 'AAAA' } } },
    act: async (page) => {
      await click('Add passkey')(page);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Laptop');
      await dialog.getByRole('button', { name: 'Add passkey' }).click();
    },
    shows: 'Your browser made no passkey.',
  },
  'account-factor-remove': {
    path: 'account/security',
    api: { me: { data: WITH_FACTOR }, 'me/factors': { data: { ...BOTH, factors: [APP] } } },
    act: click('Remove Authenticator app'),
    shows: 'It is your last second factor',
  },
  'account-confirm-factor': {
    path: 'account/security',
    api: {
      me: { data: { ...WITH_FACTOR, factor_kinds: ['totp'] } },
      'me/factors': { data: BOTH },
      'POST me/recovery-codes': new Refusal(403, 'password_needed'),
    },
    act: click('Make new ones'),
    shows: 'Your second factor is asked for once in 10 minutes.',
  },
};
