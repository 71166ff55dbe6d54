import type { Page } from 'playwright-core';
import type { Reply } from '../../../ui/dashboard/app/replies.ts';
import type { DashboardScreen } from './screen.ts';
import { Refusal, type StubbedApi } from './stub-api.ts';

type Row = Reply<'listConnectionRows'>['data'][number];

const AT = '2026-11-20T10:42:07.113Z';
const FIRST = Date.parse('2026-11-23T10:42:07.113Z');
const LONG = 'Geschäftsführung-der-Großhandelsgesellschaft-für-mittelständische-Unternehmen-in-München';

function row(index: number, part: Partial<Row>): Row {
  const at = new Date(FIRST - index * 11_873_000).toISOString();
  return {
    connection_id: `0b9f6f0e-6f0e-4c2b-9a51-${String(index).padStart(12, '0')}`,
    provider_config_key: 'acme-desk',
    integration_name: 'Acme Desk',
    provider: 'acme-desk',
    logo: 'logos/linear.svg',
    display_name: 'Ada Lovelace',
    email: 'ada@northwind.example',
    end_user_id: `usr_${index}`,
    organization: null,
    provider_account: null,
    state: 'healthy',
    created_at: at,
    last_fetched_at: at,
    ...part,
  };
}

const ROWS: readonly Row[] = [
  row(0, { provider_account: { id: '17', name: 'northwind-support' } }),
  row(1, { display_name: 'Margaret Hamilton', email: 'mh@apollo.example', state: 'needs_reauth' }),
  row(2, { display_name: LONG, email: `einkauf@${LONG.toLowerCase()}.example`, integration_name: LONG, state: 'degraded' }),
  row(3, { display_name: '<script>alert(1)</script>', email: null, connection_id: LONG.repeat(2) }),
  row(4, { display_name: null, email: null, state: 'pending', last_fetched_at: null }),
  row(5, { display_name: null, email: null, provider_account: { id: '4711', name: 'kelvin', email: 'kelvin@acme.example' } }),
  row(6, { display_name: 'كيلفن', integration_name: 'منصة المبيعات', provider_account: { id: '18', name: 'متجر الشمال' } }),
  row(7, { display_name: 'Katherine Johnson', email: null, provider_account: { id: '19', name: 'orbit-site' } }),
];

const LISTED: StubbedApi = { 'e/dev/connection-rows': { data: ROWS, next_cursor: null } };
const NONE: StubbedApi = { 'e/dev/connection-rows': { data: [], next_cursor: null } };

const INTEGRATIONS = [
  { unique_key: 'acme-desk', display_name: 'Acme Desk', provider: 'acme-desk' },
  { unique_key: LONG, display_name: LONG.repeat(2), provider: 'acme-desk' },
].map((one) => ({ ...one, updated_at: AT, logo: 'logos/linear.svg', forward_webhooks: true, has_webhook_secret: false }));
const OVERVIEW = { data: INTEGRATIONS, next_cursor: null };

/** Responses for the page that adds a connection. */
export const ADDING: StubbedApi = {
  'e/dev/integrations-overview': OVERVIEW,
  [`e/dev/integrations/${encodeURIComponent(LONG)}`]: { data: INTEGRATIONS[1] },
  'e/dev/providers/acme-desk': { data: { name: 'acme-desk', display_name: 'Acme Desk', auth_mode: 'OAUTH2' } },
};

const MADE = { token: 't', connect_link: `https://svc.northwind.example/connect/l#${'t'.repeat(60)}`, expires_at: AT };
const IMPORTED = { connection_id: LONG.repeat(2), provider_config_key: LONG };
const REFUSED = 'This is not what it should be:';
const IMPORT = 'e/dev/connections/new?way=import';
const select = async (page: Page) => {
  for (const name of ['Ada Lovelace', 'usr_4', LONG])
    await page
      .getByRole('checkbox', { name: `Select ${name}` })
      .first()
      .check();
};
const use = async (page: Page, button: string) => {
  await select(page);
  await page.getByRole('button', { name: button }).click();
};
const send = async (page: Page, token: string) => {
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
};

/** Screens D7 and D8: the list of connections, and the page that adds one. */
export const CONNECTION_LIST_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  connections: {
    path: 'e/dev/connections',
    api: { 'e/dev/connection-rows': { data: ROWS, next_cursor: 'next' } },
    shows: '<script>alert(1)</script>',
  },
  'connections-selected': {
    path: 'e/dev/connections',
    api: { 'e/dev/connection-rows': { data: ROWS, next_cursor: 'next' } },
    act: select,
    shows: '3 selected',
  },
  'connections-selected-links': {
    path: 'e/dev/connections',
    api: { ...LISTED, 'POST e/dev/connect/sessions/reconnect': { data: MADE } },
    act: (page) => use(page, 'Copy reconnect links'),
    shows: 'Whoever has a link can sign in again',
  },
  'connections-selected-tags': {
    path: 'e/dev/connections',
    api: LISTED,
    act: async (page) => {
      await use(page, 'Edit tags');
      await page.getByLabel('Tag name').fill('Organization ID');
      await page.getByRole('button', { name: 'Set tag' }).click();
    },
    shows: 'Tag value is missing.',
  },
  'connections-selected-delete': {
    path: 'e/dev/connections',
    api: LISTED,
    act: (page) => use(page, 'Delete…'),
    shows: 'Delete 3 connections?',
  },
  'connections-selected-refused': {
    path: 'e/dev/connections',
    api: LISTED,
    act: (page) => use(page, 'Copy reconnect links'),
    shows: 'No link was created for 3 connections.',
  },
  'connections-integration': {
    path: 'e/dev/connections',
    api: {
      'e/dev/connection-rows': { data: ROWS, next_cursor: null },
      'e/dev/integrations-overview': { ...OVERVIEW, next_cursor: 'n' },
    },
    act: (page) => page.getByRole('button', { name: 'Integration' }).click(),
    shows: 'There are more: type to find them.',
  },
  'connections-of-integration': {
    path: `e/dev/connections?integration=${encodeURIComponent(LONG)}`,
    api: { 'e/dev/connection-rows': { data: ROWS, next_cursor: null }, 'e/dev/integrations-overview': OVERVIEW },
    shows: `Integration: ${LONG.repeat(2)}`,
  },
  'connections-tag': {
    path: 'e/dev/connections',
    api: LISTED,
    act: (page) => page.getByRole('button', { name: 'Tags' }).click(),
    shows: 'Tag value',
  },
  'connections-tag-faults': {
    path: 'e/dev/connections?tags[plan]=pro',
    api: LISTED,
    act: async (page) => {
      await page.getByRole('button', { name: 'Tags' }).click();
      await page.getByLabel('Tag name').fill('Organization ID');
      await page.getByLabel('Tag value').press('Enter');
    },
    shows: 'Tag value is missing.',
  },
  'connections-empty': {
    path: 'e/dev/connections',
    api: {
      ...NONE,
      'e/dev/integrations-overview': OVERVIEW,
      'e/dev/connections-count': { data: { total: 0, needs_attention: 0 } },
    },
    shows: 'Connect a test account',
  },
  'connections-no-match': {
    path: `e/dev/connections?state=pending&integration=jira&tags[plan]=pro&tags[region]=${encodeURIComponent(LONG.repeat(2))}`,
    api: NONE,
    shows: 'Nothing matches.',
  },
  'connections-broken': {
    path: 'e/dev/connections',
    api: { 'e/dev/connection-rows': new Refusal(500, 'server_error') },
    shows: 'This could not be loaded',
  },
  'connections-add': {
    path: 'e/dev/connections',
    api: {
      'e/dev/connection-rows': { data: ROWS, next_cursor: null },
      'e/dev/integrations-overview': { data: INTEGRATIONS, next_cursor: null },
      'POST e/dev/connect/sessions': { data: MADE },
    },
    act: async (page) => {
      await page.getByRole('button', { name: 'Add connection' }).click();
      await page.getByRole('menuitem', { name: 'Copy connect link' }).click();
    },
    shows: 'Anyone with this link can connect an account until',
  },
  'connection-new': { path: 'e/dev/connections/new', api: ADDING, shows: 'end_user_id: test_1' },
  'connection-new-refused': {
    path: `e/dev/connections/new?integration=${encodeURIComponent(LONG)}`,
    api: { ...ADDING, 'POST e/dev/connect/sessions': refusing('tags', LONG.repeat(2)) },
    act: (page) => page.getByRole('button', { name: 'Copy connect link' }).click(),
    shows: 'The body does not match the schema of this endpoint.',
  },
  'connection-new-no-integration': {
    path: 'e/dev/connections/new',
    api: { 'e/dev/integrations-overview': { data: [], next_cursor: null } },
    shows: 'No integrations yet',
  },
  'connection-new-broken': {
    path: 'e/dev/connections/new',
    api: { 'e/dev/integrations-overview': new Refusal(500, 'server_error') },
    shows: 'Something went wrong on our side.',
  },
  'connection-import': { path: IMPORT, api: ADDING, shows: 'Refresh token' },
  'connection-import-refused': {
    path: IMPORT,
    api: { ...ADDING, 'POST e/dev/connections/import': refusing('credentials', 'expires_at') },
    act: (page) => send(page, 'at'),
    shows: REFUSED,
  },
  'connection-import-json': {
    path: IMPORT,
    api: { ...ADDING, 'POST e/dev/connections/import': refusing('tags', LONG) },
    act: async (page) => {
      await page.getByRole('button', { name: 'Paste JSON' }).click();
      await page.getByRole('button', { name: 'Import', exact: true }).click();
    },
    shows: `tags.${LONG}`,
  },
  'connection-imported': {
    path: IMPORT,
    api: { ...ADDING, 'POST e/dev/connections/import': { data: IMPORTED } },
    act: (page) => send(page, 'at'),
    shows: 'Imported',
  },
  'connection-import-impossible': {
    path: IMPORT,
    api: { ...ADDING, 'e/dev/providers/acme-desk': { data: { name: 'acme-desk', auth_mode: 'JWT' } } },
    shows: 'can’t be imported',
  },
};

function refusing(...path: readonly string[]): Refusal {
  const details = [{ path, code: 'invalid_value', message: `${REFUSED} ${LONG.repeat(2)}` }];
  return new Refusal(400, 'invalid_body', details, 'the body does not match the schema of this endpoint');
}
