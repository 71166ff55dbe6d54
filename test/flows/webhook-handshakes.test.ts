import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { makeFolders } from '../support/folders.ts';
import { firstEnvironmentUuid } from '../support/hooked.ts';
import { use } from '../support/use.ts';

const DOCUMENTED = { display_name: 'Any', docs: 'https://docs.example.com', auth_mode: 'API_KEY' };
const DEFINITIONS: Readonly<Record<string, object>> = {
  boxes: { method: 'GET', echo: 'query.challenge', as: 'text' },
  graph: { method: 'POST', echo: 'query.validationToken', as: 'text' },
  configured: {
    method: 'POST',
    when: [
      { path: 'body.type', equals: 'check' },
      { path: 'body.key', equals: '${integration.check_key}' },
      { path: 'headers.x-any' },
    ],
    echo: 'body.deep.challenge',
    as: { json: 'answer' },
    status: 202,
  },
};

function filesOf(): Record<string, string> {
  const entries = Object.entries(DEFINITIONS).map(([name, handshake]) => {
    const definition = {
      ...DOCUMENTED,
      proxy: { base_url: 'https://api.example' },
      integration_config: { check_key: { type: 'string', title: 'Key', optional: true } },
      webhook: { handshake: [handshake] },
    };
    return [`${name}/provider.json`, JSON.stringify(definition)];
  });
  return Object.fromEntries(entries);
}

describe('handshakes of webhooks', function () {
  const folders = use(this, () => makeFolders(filesOf()));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));
  const verifyToken = canary('verify token');
  let environment: string;

  before(async () => {
    environment = await firstEnvironmentUuid(app);
    const oauth = { client_id: 'client', client_secret: canary('client secret'), webhook_secret: verifyToken };
    for (const [provider, credentials, integration_config] of [
      ['facebook', oauth],
      ['instagram', oauth],
      ['trello', { client_id: 'client', client_secret: canary('client secret') }],
      ['okta', undefined],
      ['boxes', undefined],
      ['graph', undefined],
      ['configured', undefined, { check_key: 'k-1' }],
    ] as const) {
      const body = {
        unique_key: provider,
        provider,
        ...(credentials && { credentials }),
        ...(integration_config && { integration_config }),
      };
      const created = await app.api.post('/integrations', body);
      expect(created.status, created.text).to.equal(200);
    }
  });

  const address = (key: string, query = '') => `${app.url}/webhook/${environment}/${key}${query}`;
  const ask = (key: string, query: string, init: RequestInit = {}) => fetch(address(key, query), init);

  /** Handshakes from each provider's documentation, with the response that the provider expects. */
  const EXAMPLES: readonly (readonly [name: string, source: string, ask: () => Promise<Response>, body: string, type: string])[] =
    [
      ...(['facebook', 'instagram'] as const).map(
        (key) =>
          [
            key,
            'https://developers.facebook.com/docs/graph-api/webhooks/getting-started',
            () => ask(key, `?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${encodeURIComponent(verifyToken)}`),
            '1158201444',
            'text/plain',
          ] as const,
      ),
      [
        'okta',
        'https://developer.okta.com/docs/concepts/event-hooks/',
        () => ask('okta', '', { headers: { 'X-Okta-Verification-Challenge': 'my verification challenge' } }),
        '{"verification":"my verification challenge"}',
        'application/json',
      ],
      [
        'dropbox',
        'https://www.dropbox.com/developers/reference/webhooks',
        () => ask('boxes', '?challenge=abc123'),
        'abc123',
        'text/plain',
      ],
      [
        'microsoft graph',
        'https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks',
        () =>
          ask(
            'graph',
            '?validationToken=Validation%3a+Testing+client+application+reachability+for+subscription+Request-Id%3a+1',
            {
              method: 'POST',
              headers: { 'content-type': 'text/plain; charset=utf-8' },
            },
          ),
        'Validation: Testing client application reachability for subscription Request-Id: 1',
        'text/plain',
      ],
    ];
  for (const [name, source, request, body, type] of EXAMPLES) {
    it(`of ${name} are answered as ${new URL(source).host} says`, async () => {
      const response = await request();
      expect([response.status, await response.text()]).to.deep.equal([200, body]);
      expect(response.headers.get('content-type')?.split(';', 1)[0]).to.equal(type);
      expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
    });
  }

  it('by HEAD and plain GET are answered with 200 (Trello, Mailchimp), for an unknown address as a delivery is', async () => {
    for (const method of ['HEAD', 'GET']) {
      expect((await ask('trello', '', { method })).status).to.equal(200);
      for (const unknown of [address('nobody'), address('trello').replace(environment, randomUUID())])
        expect((await fetch(unknown, { method })).status).to.equal(404);
    }
  });

  it('of CloudEvents get the permission that they ask for, and without an origin none', async () => {
    const headers = { 'WebHook-Request-Origin': 'eventemitter.example.com', 'WebHook-Request-Rate': '120' };
    const permitted = await ask('trello', '', { method: 'OPTIONS', headers });
    expect(permitted.status).to.equal(200);
    expect(permitted.headers.get('webhook-allowed-origin')).to.equal('eventemitter.example.com');
    expect(permitted.headers.get('webhook-allowed-rate')).to.equal('*');
    expect(permitted.headers.get('allow')).to.contain('POST');
    const plain = await ask('trello', '', { method: 'OPTIONS' });
    expect([plain.status, plain.headers.get('webhook-allowed-origin')]).to.deep.equal([204, null]);
    expect((await ask('nobody', '', { method: 'OPTIONS', headers })).status).to.equal(404);
  });

  it('with a wrong expected value get no challenge back', async () => {
    for (const token of ['wrong', '', encodeURIComponent(`${verifyToken}x`)]) {
      const response = await ask('facebook', `?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`);
      expect(await response.text()).not.to.contain('1158201444');
    }
    const silent = await ask('facebook', '?hub.mode=subscribe&hub.challenge=1158201444');
    expect(await silent.text()).not.to.contain('1158201444');
  });

  it('must meet all their conditions, and are answered with the status of the definition', async () => {
    const body = { type: 'check', key: 'k-1', deep: { challenge: 'c-1' } };
    const send = (sent: object, headers: Record<string, string> = { 'x-any': '1' }) =>
      ask('configured', '', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(sent),
      });
    const right = await send(body);
    expect([right.status, await right.json()]).to.deep.equal([202, { answer: 'c-1' }]);
    for (const response of [await send({ ...body, key: 'k-2' }), await send({ ...body, type: 'other' }), await send(body, {})])
      expect(await response.text()).not.to.contain('answer');
    await app.api.patch('/integrations/configured', { integration_config: { check_key: null } });
    expect(await (await send({ ...body, key: '' })).text()).not.to.contain('answer');
  });

  it('repeat at most 1 KiB of printable ASCII', async () => {
    expect(await (await ask('boxes', `?challenge=${'a'.repeat(1_024)}`)).text()).to.have.length(1_024);
    for (const odd of ['a'.repeat(1_025), 'a%0ab', 'a%00', 'gr%C3%BC', '%7F', ''])
      expect(await (await ask('boxes', `?challenge=${odd}`)).text(), odd).to.equal('{"status":"success"}');
    const page = await ask('boxes', '?challenge=%3Cscript%3Ealert(1)%3C/script%3E');
    expect(page.headers.get('content-type')).to.match(/^text\/plain/);
  });

  it('are recorded with their time, and count as verified only with an expected value', async () => {
    const known = async (key: string) =>
      app.database.db('integrations').where({ unique_key: key }).first('address_checked_at', 'address_verified_at');
    await app.database.db('integrations').update({ address_checked_at: null, address_verified_at: null });
    await ask('boxes', '?challenge=abc123');
    await ask('facebook', '?hub.mode=subscribe&hub.challenge=1&hub.verify_token=wrong');
    for (const key of ['boxes', 'facebook']) {
      expect((await known(key)).address_checked_at).to.be.an.instanceOf(Date);
      expect((await known(key)).address_verified_at).to.equal(null);
    }
    await ask('facebook', `?hub.mode=subscribe&hub.challenge=1&hub.verify_token=${encodeURIComponent(verifyToken)}`);
    expect((await known('facebook')).address_verified_at).to.be.an.instanceOf(Date);
    await app.api.patch('/integrations/facebook', { display_name: 'Another name' });
    expect((await known('facebook')).address_verified_at).to.be.an.instanceOf(Date);
    await app.api.patch('/integrations/facebook', { credentials: { webhook_secret: 'another' } });
    expect(await known('facebook'), 'the secret was changed').to.deep.include({ address_verified_at: null });
    expect((await known('facebook')).address_checked_at).to.be.an.instanceOf(Date);
    await app.api.patch('/integrations/facebook', { unique_key: 'renamed' });
    expect(await known('renamed')).to.deep.equal({ address_checked_at: null, address_verified_at: null });
  });
});
