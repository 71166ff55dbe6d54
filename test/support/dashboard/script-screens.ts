import type { DashboardScreen } from './screen.ts';
import { Refusal, type StubbedApi } from './stub-api.ts';
import { writeSource } from './write-source.ts';

const AT = '2026-11-20T10:42:07.113Z';
const ROW = { unique_key: 'acme-desk', display_name: 'Acme Desk', version: 2, enabled: true, last_run_at: AT, failures: 3 };
const EVENT = 'post-connection-creation';
const ROWS = [
  { ...ROW, event: EVENT },
  { ...ROW, event: 'on-webhook', enabled: false, last_run_at: null, failures: 0 },
];
const SOURCE = 'export default async function (svc) {\n  await svc.updateMetadata({ welcomed: true });\n}\n';
const version = (number: number) => ({ version: number, language: 'javascript', created_at: AT });
const LOG_ID = '019bc5d1-8000-7a0e-8f43-000000000001';
const RUN = { id: LOG_ID, version: 2, started_at: AT, duration_ms: 412, memory_mb: 3.5, log: [] };
const KELVIN = { connection_id: 'kelvin', connection_name: 'Kelvin Okafor' };
const LONG_ID = 'c0ffee-'.repeat(30);

const THROWN = `TypeError: svc.get is not a function at ${'einkauf-'.repeat(12)}`;
const LOG = [
  { at: 12, level: 'info', message: 'welcomed', facts: { plan: 'free' } },
  { at: 412, level: 'error', message: THROWN, facts: { line: 2 } },
];

const SCRIPT = `e/dev/integrations/acme-desk/scripts/${EVENT}`;
const DETAIL: StubbedApi = {
  'e/dev/integrations/acme-desk/scripts': { data: [{ event: EVENT, version: 2, enabled: true, created_at: AT }] },
  [`${SCRIPT}/versions`]: { data: [version(2), version(1)] },
  [`${SCRIPT}/versions/2`]: { data: { ...version(2), source: SOURCE } },
  [`${SCRIPT}/versions/1`]: { data: { ...version(1), source: SOURCE.replace('true', 'false') } },
  'e/dev/connection-rows': {
    data: [
      { ...KELVIN, display_name: 'Kelvin Okafor', email: 'kelvin@acme.example' },
      { connection_id: LONG_ID, display_name: null, email: null },
    ],
    next_cursor: null,
  },
  [`${SCRIPT}/runs`]: {
    data: [
      { ...RUN, ...KELVIN, status: 'done', cause: null },
      { ...RUN, id: '3', connection_id: LONG_ID, connection_name: null, status: 'done', cause: null },
      { ...RUN, id: '2', connection_id: null, connection_name: null, status: 'failed', cause: 'script_error', log: LOG },
      { ...RUN, id: '4', connection_id: null, connection_name: null, status: 'failed', cause: 'refused' },
      ...Array.from({ length: 22 }, (_, index) => ({
        ...RUN,
        id: `${index}-`,
        connection_id: 'grace',
        connection_name: null,
        status: 'killed',
        cause: 'timeout',
      })),
    ],
  },
};
const TESTED = {
  status: 'failed',
  cause: 'script_error',
  error: 'TypeError: undefined is not a function',
  result: { welcomed: true },
  duration_ms: 412,
  memory_mb: 3.5,
  log: [{ at: 12, level: 'info', message: 'welcomed', facts: { plan: 'free' } }],
  calls: [
    { name: 'proxy', method: 'GET', endpoint: `/users/${'einkauf-'.repeat(24)}`, status: 200, duration_ms: 84 },
    { name: 'updateMetadata', metadata: { welcomed: true }, duration_ms: 1 },
  ],
};
const script: DashboardScreen = { path: `e/dev/scripts/acme-desk/${EVENT}`, api: DETAIL, shows: 'Source of version 2' };

const INTEGRATIONS = {
  data: [{ unique_key: 'acme-desk', display_name: 'Acme Desk', provider: 'acme-desk', logo: 'logos/linear.svg' }],
  next_cursor: null,
  total: 1,
};

/** Screens D12 and D13: the list of scripts, and one script. */
export const SCRIPT_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  scripts: {
    path: 'e/dev/scripts',
    api: { 'e/dev/scripts': { data: ROWS, next_cursor: null, waiting: 3 } },
    shows: '3 runs are due',
  },
  'scripts-empty': {
    path: 'e/dev/scripts',
    api: { 'e/dev/scripts': { data: [], next_cursor: null }, 'e/dev/integrations-overview': INTEGRATIONS },
    shows: 'scripts/post-connection-creation',
  },
  'script-new': {
    path: 'e/dev/scripts/new?event=on-webhook',
    api: { 'e/dev/integrations-overview': INTEGRATIONS, 'e/dev/integrations/acme-desk/scripts': { data: [] } },
    shows: 'An ES module that imports nothing but types.',
  },
  'script-completion': {
    path: 'e/dev/scripts/new?event=on-webhook',
    api: { 'e/dev/integrations-overview': INTEGRATIONS, 'e/dev/integrations/acme-desk/scripts': { data: [] } },
    act: async (page) => {
      await writeSource(page, 'export async function onWebhook(svc, event) {\n  svc.');
      await page.keyboard.press('Control+Space');
      await page.getByRole('option', { name: 'connectionId: string' }).waitFor();
    },
    shows: 'The ID of the connection of the run.',
  },
  'script-new-exists': {
    path: 'e/dev/scripts/new',
    api: { ...DETAIL, 'e/dev/integrations-overview': INTEGRATIONS },
    shows: 'This integration has a script for this event already',
  },
  'scripts-broken': {
    path: 'e/dev/scripts',
    api: { 'e/dev/scripts': new Refusal(500, 'server_error') },
    shows: 'This could not be loaded',
  },
  script,
  'script-tested': {
    ...script,
    api: {
      ...DETAIL,
      [`POST ${SCRIPT}/test`]: { data: TESTED },
    },
    act: async (page) => {
      await page.getByLabel('Connection ID').fill('kelvin');
      await page.getByRole('button', { name: 'Run version 2' }).click();
    },
    shows: 'What it called',
  },
  'script-run-log': {
    ...script,
    act: (page) => page.getByText('Log, 2 lines').click(),
    shows: 'It threw an error. TypeError',
  },
  'script-runs-of': {
    ...script,
    path: `${script.path}?connection_id=kelvin`,
    api: { ...DETAIL, [`${SCRIPT}/runs`]: { data: [] } },
    act: (page) => page.getByRole('button', { name: 'Connection: Kelvin Okafor' }).click(),
    shows: 'No run for this connection in the last 15 days.',
  },
  'script-compared': {
    ...script,
    act: (page) => page.getByRole('button', { name: 'Compare with version 1' }).click(),
    shows: 'Changes from version 1 to version 2',
  },
  'script-new-version': {
    ...script,
    act: async (page) => {
      await page.getByRole('button', { name: 'New version' }).click();
      await writeSource(page, `${SOURCE}// ${'einkauf-'.repeat(40)}\n${'\n'.repeat(30)}`);
    },
    shows: 'Changes to version 2',
  },
};
