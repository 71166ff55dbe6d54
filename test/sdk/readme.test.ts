import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { updateEnvironment } from '../../core/tenants/environments/environment-store.ts';
import { setVariable } from '../../core/tenants/environments/variables.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { type ClientUser, installClient } from '../support/built-client.ts';
import { canary } from '../support/canaries.ts';
import { mustBe } from '../support/connect.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { oldestNode } from '../support/oldest-node.ts';
import { projectFolder } from '../support/source-files.ts';
import { TestNet } from '../support/test-net.ts';
import { use } from '../support/use.ts';
import { words } from '../support/words.ts';

const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const NODE = oldestNode();
const STRICT = words`--strict --exactOptionalPropertyTypes --allowJs --checkJs --noEmit --target es2023 --module nodenext --types node`;

/** The variables that the reader has set. To the compiler they may be unset, which each backend checks at its start. */
const SETTINGS = words`SVC_URL SVC_KEY SVC_ACCOUNT_KEY SVC_WEBHOOK_SECRET NOTES_ID NOTES_SECRET ADA_TOKEN`
  .map((name) => `${name}: string;`)
  .join(' ');

/** A program for the strictest options. The compiler also reports lines that are marked as expected errors but have none. */
const USER = `
import { type Connection, Svc, type SvcError } from 'svc-node';
const svc = new Svc({ baseUrl: 'http://localhost:3003', apiKey: 'key' });
const address = { connection_id: 'c', provider_config_key: 'k' };
const connection: Connection = await svc.connections.get({ ...address, force_refresh: true });
connection.id satisfies number;
if (connection.credentials.type === 'API_KEY') connection.credentials.apiKey satisfies string;
for await (const { tags } of svc.connections.listAll()) tags satisfies Record<string, string>;
(await svc.proxy.get('/', address)) satisfies Response;
export const isOver = (error: SvcError) => error.code === 'unknown_connection' || error.status === 404;
const { failure } = await svc.connections.refresh(address);
failure satisfies SvcError['code'] | undefined;
await svc.connections.import({ provider_config_key: 'k', credentials: { type: 'NONE' } }, { notify: false });
// @ts-expect-error the integration is missing
await svc.connections.get({ connection_id: 'c' });
// @ts-expect-error there is no such filter
await svc.connections.list({ tag: {} });
// @ts-expect-error there is no such variant
await svc.connections.import({ provider_config_key: 'k', credentials: { type: 'MAGIC' } });
// @ts-expect-error one variant cannot have members of another
await svc.connections.import({ provider_config_key: 'k', credentials: { type: 'API_KEY', apiKey: 'a', token: 't' } });
// @ts-expect-error there is no such code
export const isOdd = (error: SvcError) => error.code === 'odd';
`;

interface Example {
  readonly code: string;
  /** The output that the next block of the README shows, if any. */
  readonly printed: string;
}

const [FIRST = expect.fail('there is no example'), ...examples] = examplesOf(
  readFileSync(join(projectFolder, 'sdk/node/README.md'), 'utf8'),
);

describe(`the examples in the README of the Node client, with Node ${NODE.version}`, function () {
  this.timeout(120_000);
  const user = use(this, () => installClient());
  const provider = use(this, () => startFakeProvider({ openApi: true }));
  const app = use(this, async () => {
    const net = new TestNet();
    net.add('notes.example', provider.url);
    const shared = join(user.folder, 'shared-apps.json');
    await writeFile(shared, JSON.stringify({ github: { client_id: 'shared', client_secret: canary('shared app'), scopes: [] } }));
    return startApp({ env: { SVC_SHARED_APPS_FILE: shared }, net });
  });
  let env: Readonly<Record<string, string>>;

  before(async () => {
    await setVariable(app.services, 1, { name: 'REGION', value: 'eu' });
    await updateEnvironment(app.services.db, 1, { webhook_url: 'https://app.example/webhooks' });
    env = environmentFor(app, provider);
    await writeFile(join(user.folder, 'package.json'), '{"name": "reader"}');
    for (const [index, { code }] of examples.entries()) await writeFile(fileOf(user, index), programOf(code));
  });

  it('pass the strict type check with the built client', async () => {
    await writeFile(join(user.folder, 'settings.d.ts'), `declare namespace NodeJS { interface ProcessEnv { ${SETTINGS} } }`);
    expect(user.compile([...STRICT, 'settings.d.ts', ...examples.map((_, index) => fileOf(user, index))])).to.equal('');
  });

  it('use types that reject what the service would refuse', async () => {
    await writeFile(join(user.folder, 'user.mts'), USER);
    expect(user.compile([...STRICT, 'user.mts'])).to.equal('');
  });

  for (const [index, { code, printed }] of examples.entries()) {
    const [title = ''] = code
      .trim()
      .split('\n')
      .filter((line) => /\bsvc\.|new Svc|parseWebhook\(/.test(line));
    it(`${index + 2} does what it says: ${title.trim()}`, async () => {
      if (code.includes('grace-notes')) await importExpired(app);
      const { stdout } = await promisify(execFile)(NODE.path, [fileOf(user, index)], { cwd: user.folder, env });
      expect(stdout).to.equal(printed);
    });
  }

  it('accept webhooks signed with the secret, and no others', async () => {
    const index = examples.findIndex(({ code }) => code.includes('parseWebhook('));
    const receiver = pathToFileURL(fileOf(user, index)).href;
    const script = `const { POST } = await import('${receiver}'); for (const s of JSON.parse(process.argv[1]))
      console.log((await POST(new Request('http://localhost', { method: 'POST', ...s }))).status);`;
    const sent = JSON.stringify([delivery(WEBHOOK_SECRET), delivery(`whsec_${Buffer.alloc(24, 8).toString('base64')}`)]);
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, sent], { env });
    expect(stdout).to.equal('creation true c {}\n204\n401\n');
  });
});

function examplesOf(text: string): Example[] {
  const blocks = text.matchAll(/```js\n(.*?)```\n(?:\n```text\n(.*?)```)?/gs);
  return [...blocks].map(([, code = '', printed = '']) => ({ code, printed }));
}

/** Returns the whole program of an example, which begins with the first example unless it is complete by itself. */
function programOf(code: string): string {
  const isComplete = code.includes('export async function');
  return isComplete ? code : `${FIRST.code}\n${code}`;
}

function fileOf({ folder }: ClientUser, index: number): string {
  return join(folder, `example-${index + 2}.mjs`);
}

function environmentFor(app: TestApp, { clientId, clientSecret }: FakeProvider): Readonly<Record<string, string>> {
  return {
    SVC_URL: app.url,
    SVC_KEY: app.apiKey,
    SVC_ACCOUNT_KEY: app.accountKey,
    SVC_WEBHOOK_SECRET: WEBHOOK_SECRET,
    NOTES_ID: clientId,
    NOTES_SECRET: clientSecret,
    ADA_TOKEN: canary('access token of ada'),
  };
}

/** Imports a connection whose token has expired and whose refresh token is unknown to the provider. */
async function importExpired({ api }: TestApp): Promise<void> {
  const response = await api.post('/connections', {
    provider_config_key: 'notes',
    connection_id: 'grace-notes',
    credentials: {
      type: 'OAUTH2',
      access_token: canary('access token of grace'),
      refresh_token: canary('refresh token of grace'),
      expires_at: '2020-01-01T00:00:00.000Z',
    },
  });
  mustBe(200, response);
}

/** Returns a webhook that is signed here, without the service's code, in the way in which the service signs. */
function delivery(secret: string) {
  const body = JSON.stringify({ type: 'auth', operation: 'creation', success: true, connectionId: 'c', tags: {} });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64');
  return { body, headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` } };
}
