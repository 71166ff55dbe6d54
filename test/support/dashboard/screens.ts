import type { Page } from 'playwright-core';
import { Refusal, type StubbedApi } from './stub-api.ts';

/** One picture of the dashboard: for axe, and for people. */
export interface DashboardScreen {
  /** Below the base URL. */
  readonly path: string;
  /** Beside `SIGNED_IN`. */
  readonly api?: StubbedApi;
  /** What somebody does there first. */
  readonly act?: (page: Page) => Promise<void>;
  /** What is there when the screen is. Default: a heading of the first level. */
  readonly shows?: string;
}

const SET_UP: StubbedApi = { setup: { data: { needed: true, password: true, oidc: null, insecure: true } } };

/** Every screen, by name. A page adds those of its states: full, empty, empty by filter, broken. */
export const DASHBOARD_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  setup: { path: 'setup', api: SET_UP },
  'setup-with-link': { path: 'setup#token=Zk3mB1pQ9xTt6Yc0aHs4vQ', api: SET_UP },
  'setup-faults': {
    path: 'setup',
    api: SET_UP,
    act: (page) => page.getByRole('button', { name: 'Create admin account' }).click(),
    shows: 'Check these details:',
  },
  'setup-done': { path: 'setup' },
  'sign-in': { path: 'login' },
  'sign-in-other': {
    path: 'login?reason=timeout',
    api: { setup: { data: { needed: false, password: true, oidc: { name: 'Northwind SSO' }, insecure: false } } },
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
  'not-found': { path: 'e/dev/nothing' },
  broken: { path: 'e/dev/nothing', api: { me: new Refusal(500, 'server_error') }, shows: 'This could not be loaded' },
};
