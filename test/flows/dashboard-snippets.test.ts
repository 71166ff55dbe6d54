import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { CALLS, type CallName, proxied } from '../../ui/dashboard/components/snippets/calls.ts';
import { REDIRECTS, VERIFY } from '../../ui/dashboard/components/snippets/code.ts';
import { curlWith, LANGUAGES, type Language } from '../../ui/dashboard/components/snippets/languages.ts';
import { type ClientUser, installClient } from '../support/built-client.ts';
import { addSandbox, connectSandbox } from '../support/sandbox.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

/** The ID of a connection, chosen to be harmful in a shell. */
const HOSTILE_ID = `it's "$(touch owned)" \`touch owned\` \\`;
const SHOWS: Readonly<Record<CallName, RegExp>> = {
  session: /svc_connect_session_[0-9a-f]{64}/,
  integrations: /sandbox-oauth2/,
  connections: /connection_id/,
  list: /user-1/,
  read: /access_token/,
  import: /connection_id/,
  proxy: /ada/i,
  reconnect: /connect\/l#/,
  metadata: /free/,
  script: /post-connection-creation/,
};

describe('the code that the dashboard hands out', function () {
  const app = use(this, startTenant);
  const user = use(this, () => installClient());
  let connectionId = '';

  before(async () => {
    const key = await addSandbox(app);
    ({ connectionId } = await connectSandbox(app, { key }));
    await app.api.post('/connections', {
      provider_config_key: key,
      connection_id: HOSTILE_ID,
      credentials: { type: 'OAUTH2', access_token: 'one' },
      tags: { end_user_id: 'user-1' },
    });
  });

  const written = (name: CallName, language: Language, id = connectionId) => {
    const values = { baseUrl: app.url, integration: 'sandbox-oauth2', connectionId: id, path: '/me' };
    return LANGUAGES[language](CALLS[name](values), values);
  };
  const run = (language: Language, code: string) => runIn(user, { language, code, key: app.apiKey });

  for (const name of Object.keys(CALLS) as CallName[]) {
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      it(`works as it stands: ${name}, ${language}`, async () => {
        expect(await run(language, written(name, language))).to.match(SHOWS[name]);
      });
    }
  }

  for (const language of Object.keys(LANGUAGES) as Language[]) {
    it(`quotes an ID, whatever characters it has: ${language}`, async () => {
      expect(await run(language, written('metadata', language, HOSTILE_ID))).to.contain('free');
      expect(await run(language, written('read', language, HOSTILE_ID))).to.match(/access_token/);
    });
  }

  for (const language of Object.keys(LANGUAGES) as Language[]) {
    it(`sends a typed body through the proxy, whatever characters it has: ${language}`, async () => {
      const values = { baseUrl: app.url, integration: 'sandbox-oauth2', connectionId, path: 'notes?a[]=1' };
      const call = proxied(values, { method: 'POST', headers: { Accept: '*/*' }, body: JSON.stringify({ text: HOSTILE_ID }) });
      expect(await run(language, LANGUAGES[language](call, values))).to.contain(JSON.stringify(HOSTILE_ID));
    });
  }

  it('quotes a new key in a command, whatever characters it has', async () => {
    const written = (key: string) => curlWith(key, CALLS.integrations(), { baseUrl: app.url });
    expect(await runIn(user, { language: 'curl', code: written(app.apiKey), key: '' })).to.contain('sandbox-oauth2');
    expect(written(HOSTILE_ID)).to.contain(`-H 'Authorization: Bearer it'\\''s "$(touch owned)"`);
  });

  it('tells curl to wait for no body after HEAD', () => {
    const values = { baseUrl: app.url, integration: 'sandbox-oauth2', connectionId, path: '/me' };
    const written = LANGUAGES.curl(proxied(values, { method: 'HEAD', headers: {} }), values);
    expect(written).to.match(/^curl -g -I '/);
  });

  it('verifies webhooks as docs/webhooks.md does, and by the Node client', async () => {
    expect(await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')).to.contain(VERIFY.Node);
    const code = `${VERIFY['Node SDK']}
const post = (headers) => POST(new Request('http://app.example', { method: 'POST', body: '{}', headers }));
console.log(await post({}).catch((error) => error.name));`;
    expect(await run('Node SDK', code)).to.contain('InvalidWebhookError');
  });

  it('redirects a callback URL to the service with its query', () => {
    const routes = new Map<string, (request: object, response: object) => void>();
    const code = REDIRECTS.Express('/cb', 'https://svc.example/oauth/callback');
    new Function('app', code)({ get: (path: string, handle: () => void) => routes.set(path, handle) });
    const led: unknown[] = [];
    routes.get('/cb')?.({ originalUrl: '/cb?code=a%20b&state=c' }, { redirect: (...to: unknown[]) => led.push(...to) });
    expect(led).to.deep.equal([308, 'https://svc.example/oauth/callback?code=a%20b&state=c']);
  });
});

async function runIn(
  { folder }: ClientUser,
  { language, code, key }: { readonly language: Language; readonly code: string; readonly key: string },
): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', SVC_KEY: key };
  const [program, args] =
    language === 'curl'
      ? ['sh', ['-c', `${code} --silent --show-error --fail-with-body`]]
      : [process.execPath, ['--input-type=module', '-e', code]];
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env });
  return stdout;
}
