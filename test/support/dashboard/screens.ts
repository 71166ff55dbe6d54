import type { Page } from 'playwright-core';
import { ACCOUNT_SCREENS } from './account-screens.ts';
import { CONNECTION_LIST_SCREENS } from './connection-list-screens.ts';
import { CONNECTION_SCREENS } from './connection-screens.ts';
import { FACTOR_SCREENS } from './factor-screens.ts';
import { HOME_SCREENS } from './home-screens.ts';
import { INTEGRATION_SCREENS } from './integration-screens.ts';
import { LOG_SCREENS } from './log-screens.ts';
import type { DashboardScreen } from './screen.ts';
import { SCRIPT_SCREENS } from './script-screens.ts';
import { SEARCH_SCREENS } from './search-screens.ts';
import { SETTINGS_SCREENS } from './settings-screens.ts';
import { START_SCREENS } from './start-screens.ts';
import { GRACE, Refusal, type StubbedApi } from './stub-api.ts';
import { WEBHOOK_SCREENS } from './webhook-screens.ts';

const SET_UP: StubbedApi = {
  setup: { data: { needed: true, has_setup_link: true, password: true, oidc: null, insecure: false } },
};
const INSECURE: StubbedApi = {
  setup: { data: { needed: true, has_setup_link: true, password: true, oidc: null, insecure: true } },
};
const SSO = { needed: false, has_setup_link: false, password: true, oidc: { name: 'Northwind SSO' }, insecure: false };
const fillIn = async (page: Page) => {
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('E-mail').fill('grace@northwind.example');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Create admin account' }).click();
};

/** Screens by name. Each group of pages has a file with its states: full, empty, empty because of a filter, or failed. */
type Screens = Readonly<Record<string, DashboardScreen>>;

/** The screens of the pages on which people look for what is wrong. */
export const DAILY_SCREENS: Screens = {
  ...CONNECTION_LIST_SCREENS,
  ...CONNECTION_SCREENS,
  ...HOME_SCREENS,
  ...INTEGRATION_SCREENS,
  ...LOG_SCREENS,
};

export const OTHER_SCREENS: Screens = {
  setup: { path: 'setup', api: SET_UP },
  'setup-insecure': { path: 'setup', api: INSECURE, shows: 'Connection not encrypted' },
  'setup-with-link': { path: 'setup#token=Zk3mB1pQ9xTt6Yc0aHs4vQ', api: SET_UP },
  'setup-faults': {
    path: 'setup',
    api: SET_UP,
    act: (page) => page.getByRole('button', { name: 'Create admin account' }).click(),
    shows: 'Check these details:',
  },
  'setup-refused': {
    path: 'setup#token=Zk3mB1pQ9xTt6Yc0aHs4vQ',
    api: { ...SET_UP, 'POST setup': new Refusal(401, 'invalid_login') },
    act: fillIn,
    shows: 'This setup token isn’t right.',
  },
  'setup-locked': {
    path: 'setup#token=Zk3mB1pQ9xTt6Yc0aHs4vQ',
    api: { ...SET_UP, 'POST setup': new Refusal(429, 'too_many_request') },
    act: fillIn,
    shows: 'Too many attempts. Try again in 4 minutes.',
  },
  'setup-done': { path: 'setup#token=Zk3mB1pQ9xTt6Yc0aHs4vQ', shows: 'This instance has already been set up' },
  'setup-or-provider': { path: 'setup', api: { setup: { data: { ...SSO, needed: true } } }, shows: 'Setup token' },
  'setup-broken': { path: 'setup', api: { setup: new Refusal(500, 'server_error') }, shows: 'Try again' },
  'sign-in': { path: 'login' },
  'sign-in-other': {
    path: 'login?reason=ended',
    api: { setup: { data: SSO } },
  },
  'sign-in-insecure': {
    path: 'login',
    api: { setup: { data: { ...SSO, insecure: true } } },
    shows: 'Connection not encrypted',
  },
  'sign-in-first': { path: 'login', api: { setup: { data: { ...SSO, needed: true } } }, shows: 'Set up with a token' },
  'sign-in-only-other': {
    path: 'login',
    api: { setup: { data: { ...SSO, needed: true, password: false } } },
    shows: 'Continue with Northwind SSO',
  },
  'sign-in-refused': {
    path: 'login',
    api: { 'POST login': new Refusal(401, 'invalid_login') },
    act: async (page) => {
      await page.getByLabel('E-mail').fill('grace@northwind.example');
      await page.getByLabel('Password').fill('not this one');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    },
    shows: 'E-mail or password isn’t right.',
  },
  'sign-in-elsewhere-refused': { path: 'login?problem=oidc_refused', shows: 'You may not sign in here' },
  join: { path: 'join#token=Zk3mB1pQ9xTt6Yc0aHs4vQ', shows: 'Choose a password' },
  'join-without-passwords': {
    path: 'join#token=Zk3mB1pQ9xTt6Yc0aHs4vQ',
    api: { setup: { data: { ...SSO, password: false } } },
    shows: 'Continue with Northwind SSO',
  },
  'join-over': {
    path: 'join#token=Zk3mB1pQ9xTt6Yc0aHs4vQ',
    api: { 'POST join': new Refusal(401, 'invalid_login') },
    act: async (page) => {
      await page.getByLabel('New password').fill('correct horse battery');
      await page.getByRole('button', { name: 'Save and sign in' }).click();
    },
    shows: 'This link has been used or has expired.',
  },
  ...ACCOUNT_SCREENS,
  ...FACTOR_SCREENS,
  ...SCRIPT_SCREENS,
  ...SEARCH_SCREENS,
  ...SETTINGS_SCREENS,
  ...WEBHOOK_SCREENS,
  ...START_SCREENS,
  offline: {
    ...HOME_SCREENS['home'],
    path: 'e/dev/home',
    act: (page) =>
      page
        .getByRole('heading', { level: 2 })
        .first()
        .waitFor()
        .then(() => page.context().setOffline(true)),
    shows: 'You’re offline. Showing what was loaded at',
  },
  stale: {
    ...HOME_SCREENS['home'],
    path: 'e/dev/home',
    act: async (page) => {
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      await page.route('**/activity?*', (route) => route.fulfill({ status: 400, json: { error: { code: 'x', message: 'no' } } }));
      await page.clock.setFixedTime(Date.now() + 60_000);
      await page.evaluate('dispatchEvent(new Event("focus"))');
    },
    shows: 'This could not be loaded anew.',
  },
  outdated: {
    path: 'e/dev/nothing',
    api: { me: { data: { ...GRACE, version: '99.0.0' } } },
    shows: 'Another version of the service is running now.',
  },
  unloaded: {
    path: 'e/dev/nothing',
    act: async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.context().route('**/*.js', (route) => route.fulfill({ status: 503 }));
      await page.getByRole('link', { name: 'Logs' }).click();
    },
    shows: 'The service did not respond.',
  },
  'not-found': { path: 'e/dev/nothing' },
  broken: { path: 'e/dev/nothing', api: { me: new Refusal(500, 'server_error') }, shows: 'This could not be loaded' },
};

export const DASHBOARD_SCREENS: Screens = { ...DAILY_SCREENS, ...OTHER_SCREENS };
