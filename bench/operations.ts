import type { OperationFilter } from '../core/journal/operation-log/list-store.ts';
import { operationPage } from '../core/journal/operation-log/operation-page.ts';
import { connectionOf, integrationOf, storeManyOperations } from '../test/support/many-operations.ts';
import { type Embedded, startEmbedded } from './embedded.ts';
import { howFound, printTimes, type Timed, timed } from './timed.ts';

const OPERATIONS = 1_000_000;
const MADE = 10_000;
const DAYS = 15;
const DAY_MS = 86_400_000;
const ROUNDS = 60;
const PAGE = 100;
const GOALS = 'goals of p95: newest page 50 ms, filters 300 ms';

/** For each measured query, a function that returns its filter in a given round. */
const ASKED: Readonly<Record<string, (round: number) => OperationFilter>> = {
  'newest page': () => ({}),
  connection: (round) => ({ connectionId: connectionOf(round * 7) }),
  'unknown connection': (round) => ({ connectionId: `none-${round}` }),
  integration: (round) => ({ integrations: [integrationOf(round)] }),
  failures: () => ({ statuses: ['failure'] }),
  type: (round) => ({ types: [['refresh', 'webhook', 'script', 'auth', 'admin'][round % 5] ?? ''] }),
  'type and status': () => ({ types: ['refresh'], statuses: ['failure'] }),
  'a day': (round) => ({ since: daysAgo(1 + (round % 14)), until: daysAgo(round % 14) }),
  'a day of an integration': (round) => ({ integrations: [integrationOf(round)], since: daysAgo(8), until: daysAgo(7) }),
  'an API key': (round) => ({ actor: { kind: 'api_key', id: String(round % 50) } }),
  'HTTP status': () => ({ httpStatus: 404 }),
  'error code': (round) => ({ errorCode: `code_${round % 20}` }),
  'search: frequent word': () => ({ search: 'invoices' }),
  'search: rare word': (round) => ({ search: String(9_000 + round) }),
  'search: two words': (round) => ({ search: `invoices ${5_000 + round}` }),
  'search: nothing': (round) => ({ search: `nothing${round}` }),
};

/**
 * Measures pages of a large operation log, with the queries that the list and the stream of the dashboard send to the database.
 */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const embedded = await startEmbedded(stack);
  const started = performance.now();
  await storeManyOperations(embedded.db, { environmentId: embedded.environmentId, count: OPERATIONS, days: DAYS, made: MADE });
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(`  ${OPERATIONS} operations of ${DAYS} days (written in ${seconds} s), pages of ${PAGE}; ${GOALS}`);
  const times: Timed[] = [];
  for (const [name, filterOf] of Object.entries(ASKED)) times.push(await measure(embedded, name, filterOf));
  printTimes(times);
}

async function measure({ db, environmentId }: Embedded, name: string, filterOf: (round: number) => OperationFilter) {
  const page = (round: number) => operationPage(db, environmentId, { ...filterOf(round), limit: PAGE, now: new Date() });
  const remark = await howFound(db, () => page(0));
  return { name, milliseconds: await timed(ROUNDS, page), remark };
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}
