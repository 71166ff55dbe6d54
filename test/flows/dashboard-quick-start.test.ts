import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { SNIPPETS, type SnippetLanguage, type SnippetName } from '../../ui/dashboard/pages/start/snippets.ts';
import { startApp } from '../support/app.ts';
import { signedInAs, type TestMember } from '../support/dashboard/members.ts';
import { connectSandbox } from '../support/sandbox.ts';
import { use } from '../support/use.ts';

const KEY = 'sandbox';
const RUN: Readonly<Record<SnippetLanguage, readonly [string, (code: string) => readonly string[]]>> = {
  curl: ['sh', (code) => ['-c', `${code} --silent --show-error --fail-with-body`]],
  node: [process.execPath, (code) => ['--input-type=module', '-e', code]],
};

describe('the quick start', function () {
  const app = use(this, startApp);
  let person: TestMember;
  let connectionId = '';

  before(async () => {
    person = await signedInAs(app, 'developer');
  });

  const steps = async () => (await person.ui.get('/api/ui/e/dev/onboarding')).body.data;

  it('begins with the key that was made with the environment, and nothing else', async () => {
    expect(await steps()).to.deep.equal({
      has_api_key: true,
      integration: null,
      connection: null,
      webhook: null,
      has_proxied: false,
    });
  });

  it('ticks the integration, the connection and its webhook by what is there', async () => {
    expect((await person.ui.post('/api/ui/e/dev/integrations', { unique_key: KEY, provider: 'sandbox-oauth2' })).status).to.equal(
      200,
    );
    await app.database.db('environments').update({ webhook_url: 'https://app.example/webhooks', on_new_connection: true });
    ({ connectionId } = await connectSandbox(app, { key: KEY }));
    const { integration, connection, webhook } = await steps();
    expect(integration).to.equal(KEY);
    expect(connection).to.deep.equal({ connection_id: connectionId, provider_config_key: KEY, provider: 'sandbox-oauth2' });
    expect(webhook).to.include({ type: 'auth' });
  });

  for (const name of Object.keys(SNIPPETS) as SnippetName[]) {
    for (const language of ['curl', 'node'] as const) {
      it(`shows how to do it by ${language}, as it works: ${name}`, async () => {
        const [program, argsFor] = RUN[language];
        const code = SNIPPETS[name][language]({ baseUrl: app.url, integration: KEY, connectionId });
        const env = { PATH: process.env['PATH'] ?? '', SVC_API_KEY: app.apiKey };
        const { stdout } = await promisify(execFile)(program, argsFor(code), { env });
        expect(stdout).to.match(name === 'session' ? /svc_connect_session_[0-9a-f]{64}/ : /ada/i);
      });
    }
  }

  it('ticks the proxied call, and is done', async () => {
    expect((await steps()).has_proxied).to.equal(true);
  });
});
