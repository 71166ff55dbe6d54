import { startPostgres15 } from '../test/support/postgres-15.ts';
import { type Lists, startFilled } from './many-rows.ts';
import { printTimes, type Timed, timed } from './timed.ts';

/** Connections of the environment; another one has as many. */
const CONNECTIONS = 500_000;
const ROUNDS = 100;

/** The path and query that each measurement requests, by a description of the rows that it looks for. */
const ASKED: Readonly<Record<string, string>> = {
  'connections: newest page': 'connection-rows',
  'connections: of the largest integration': 'connection-rows?integration=many-0',
  'connections: of the smallest': 'connection-rows?integration=many-299',
  'connections: to reconnect': 'connection-rows?state=needs_reauth',
  'connections: degraded': 'connection-rows?state=degraded',
  'connections: healthy': 'connection-rows?state=healthy',
  'connections: with a problem': 'connection-rows?state=degraded,needs_reauth',
  'connections: oldest page': 'connection-rows?sort=oldest',
  'connections: by a rare tag': 'connection-rows?tags[end_user_id]=user-7',
  'connections: by a frequent tag': 'connection-rows?tags[plan]=plan-1',
  'connections: of the largest, to reconnect': 'connection-rows?integration=many-0&state=needs_reauth',
  'connections: search by user ID': 'connection-rows?search=user-77123',
  'connections: search by a part of an e-mail': 'connection-rows?search=acme77.example',
  'connections: search by first name': 'connection-rows?search=jane',
  'connections: search by whole name': 'connection-rows?search=jane aieouaa',
  'connections: search of nothing': 'connection-rows?search=nowhere',
  'connections: search of 2 characters': 'connection-rows?search=ja',
  'connections: search of 2 that nothing has': 'connection-rows?search=zq',
  'connections: search of a word that all have': 'connection-rows?search=example',
  'connections: search of 2 such words': 'connection-rows?search=user plan',
  'connections: search of 2 that none has both': 'connection-rows?search=jane mary',
  'connections: search and state': 'connection-rows?search=jane&state=needs_reauth',
  'connections: numbers': 'connections-count',
  'Ctrl K: a first name': 'search?search=jane',
  'Ctrl K: a part of an e-mail': 'search?search=acme77.example',
  'Ctrl K: 2 characters': 'search?search=ja',
  'Ctrl K: nothing': 'search?search=nowhere',
  'integrations: first page': 'integrations-overview',
  'integrations: latest changes': 'integrations-overview?sort=updated',
  'integrations: by the kind of sign-in': 'integrations-overview?auth_mode=OAUTH2',
  'integrations: search': 'integrations-overview?search=many-1',
  'home: a day, and what needs attention': 'activity?period=24h',
  'home: two weeks': 'activity?period=14d',
};

/** Measures the lists of the dashboard over HTTP, one request after another, with the session of a member. */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { url: databaseUrl } = stack.use(await stack.use(await startPostgres15()).emptyDatabase());
  const filled = await startFilled(stack, { connections: CONNECTIONS, databaseUrl });
  if (filled === undefined) return;
  const { service, lists, cookie } = filled;
  const get = async (path: string) => {
    const url = `http://127.0.0.1:${service.port}/api/ui/e/${lists.environment}/${path}`;
    const response = await fetch(url, { headers: { cookie, 'sec-fetch-site': 'same-origin', 'x-svc-ui': '1' } });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { readonly next_cursor?: string };
  };
  printTimes(await measure(get, lists));
}

async function measure(
  get: (path: string) => Promise<{ readonly next_cursor?: string }>,
  { connections, integrations }: Lists,
): Promise<readonly Timed[]> {
  console.log(`  ${connections} connections of ${integrations} integrations, as many in another environment, pages of 50`);
  const times: Timed[] = [];
  for (const [name, path] of Object.entries(ASKED)) {
    await get(path);
    times.push({ name, milliseconds: await timed(ROUNDS, () => get(path)), remark: '' });
  }
  for (const list of ['connection-rows', 'integrations-overview']) {
    let cursor: string | undefined;
    const page = async () => {
      ({ next_cursor: cursor } = await get(cursor ? `${list}?cursor=${cursor}` : list));
    };
    times.push({ name: `${list}: page after page`, milliseconds: await timed(ROUNDS, page), remark: '' });
  }
  return times;
}
