import { expect } from 'chai';
import { AccountInstallation } from '../support/account-installation.ts';
import { connectionsOf, wordsOf } from '../support/authorization.ts';
import { canary } from '../support/canaries.ts';
import { authorize, type Connected, createSession, mustBe, readConnection } from '../support/connect.ts';
import type { Behaviour } from '../support/scripted-server/behaviour.ts';
import { useEach } from '../support/use.ts';

const FOUND = { type: 'string', title: 'Found', automated: true };
const SITES = [
  { id: 'site-1', url: 'https://one.example', name: 'One' },
  { id: 'site-2', url: 'https://two.example', name: 'Two' },
];

describe('a value that a definition discovers', function () {
  const setup = useEach(this, () =>
    AccountInstallation.open({
      definition: {
        identity: undefined,
        connection_config: { subdomain: { ...FOUND, pattern: '[a-z0-9-]+' } },
        discover: [
          { endpoint: '/tenant', values: { subdomain: 'tenant.subdomain', plan: 'tenant.plan' } },
          { endpoint: '/tenants/${connectionConfig.subdomain}', body: { query: '{ team { id } }' }, values: { team: 'team.id' } },
        ],
      },
    }),
  );

  it('is in the configuration of the connection, and a later call is made with it', async () => {
    setup.respond({ tenant: { subdomain: 'acme', plan: 7 }, team: { id: 12 } });
    const connected = await setup.connect();
    expect(await configOf(connected)).to.deep.equal({ subdomain: 'acme', plan: '7', team: '12' });
    const calls = setup.provider.ledger.of('api');
    expect(calls.map(({ method, target }) => [method, target])).to.deep.equal([
      ['GET', '/api/tenant'],
      ['POST', '/api/tenants/acme'],
    ]);
    expect(String(calls[1]?.body)).to.equal('{"query":"{ team { id } }"}');
    const { access_token: token } = await setup.credentialsOf(connected);
    for (const { headers } of calls) expect(headers.authorization).to.equal(`Bearer ${token}`);
  });

  it('may be incomplete where no field demands it', async () => {
    setup.respond({ tenant: { subdomain: 'acme', plan: ['free'] }, team: {} });
    expect(await configOf(await setup.connect())).to.deep.equal({ subdomain: 'acme' });
  });

  for (const [what, body] of Object.entries({
    'is not there': {},
    'is of the wrong type': { tenant: { subdomain: { name: 'acme' } } },
    'has a line break': { tenant: { subdomain: 'acme\n' } },
    'has a control character': { tenant: { subdomain: 'acme\u0007' } },
    'would lead to another host': { tenant: { subdomain: 'evil.example/' } },
    'is too long': { tenant: { subdomain: 'a'.repeat(5_000) } },
  })) {
    it(`fails the authorization if a value that is needed ${what}`, async () => {
      setup.respond(body);
      await expectRefused(/^Not connected Access to Accounts could not be confirmed/);
    });
  }

  for (const [what, behaviour, words] of [
    ['is refused', { response: { status: 403 } }, /^Not connected Access to Accounts could not be confirmed/],
    ['fails', { response: { status: 500 } }, /^Not connected We got no usable response from Accounts/],
    ['leads elsewhere', redirect('https://evil.example/'), /^Not connected Access to Accounts could not be confirmed/],
    ['is closed', { response: { status: 200 }, delivery: 'reset' }, /^Not connected We got no usable response from Accounts/],
    [
      'is huge',
      { response: { status: 200, body: 'x'.repeat(2 ** 21) } },
      /^Not connected We got no usable response from Accounts/,
    ],
  ] as const satisfies readonly [string, Behaviour, RegExp][]) {
    it(`fails the authorization if the call for it ${what}`, async () => {
      setup.provider.always('api', behaviour);
      await expectRefused(words);
    });
  }

  it('is not requested where the backend has fixed the value, and never replaces it', async () => {
    setup.respond({ tenant: { subdomain: 'other', plan: 'free' }, team: { id: 1 } });
    const connection_config = { subdomain: 'fixed', plan: 'paid' };
    const connected = await setup.connect({ integrations_config_defaults: { [setup.key]: { connection_config } } });
    expect(await configOf(connected)).to.deep.equal({ subdomain: 'fixed', plan: 'paid', team: '1' });
    expect(setup.provider.ledger.of('api').map(({ target }) => target)).to.deep.equal(['/api/tenants/fixed']);
  });

  it('is requested for an import, too', async () => {
    setup.respond({ tenant: { subdomain: 'acme' } });
    const credentials = { type: 'OAUTH2', access_token: canary('imported token') };
    const { body } = await setup.app.api.post('/connections', { provider_config_key: setup.key, credentials });
    expect(body.connection_config).to.deep.equal({ subdomain: 'acme' });
  });

  async function expectRefused(words: RegExp): Promise<void> {
    const page = await authorize(setup.app, { key: setup.key, token: await createSession(setup.app) });
    expect(page.status).to.equal(400);
    expect(wordsOf(page)).to.match(words);
    expect(await connectionsOf(setup.app)).to.deep.equal([]);
    expect((await setup.webhooks()).at(-1)).to.deep.include({ operation: 'creation', success: false });
  }

  function configOf(connected: Connected) {
    return configAt(setup, connected);
  }
});

describe('one of several sites that a provider lists', function () {
  const setup = useEach(this, () =>
    AccountInstallation.open({
      definition: {
        identity: undefined,
        connection_config: { siteId: FOUND, siteUrl: FOUND, site: { type: 'string', title: 'Site', optional: true } },
        discover: [
          {
            endpoint: '/sites',
            values: { siteId: 'id', siteUrl: 'url' },
            choose: { list: '$', id: 'id', label: 'name', field: 'site' },
          },
        ],
      },
    }),
  );
  const ONE = { siteId: 'site-1', siteUrl: 'https://one.example' };
  const TWO = { siteId: 'site-2', siteUrl: 'https://two.example' };

  beforeEach(() => setup.respond(SITES));

  it('is the first one where there is no user interface', async () => {
    expect(await configAt(setup, await setup.connect())).to.deep.equal(ONE);
  });

  it('is chosen by the session', async () => {
    expect(await configAt(setup, await setup.connect({ choices: { [setup.key]: 'site-2' } }))).to.deep.equal(TWO);
  });

  for (const site of ['site-2', 'https://two.example', 'https://two.example/start']) {
    it(`is chosen by the configuration: ${site}`, async () => {
      const defaults = { [setup.key]: { connection_config: { site } } };
      const connected = await setup.connect({ integrations_config_defaults: defaults });
      expect(await configAt(setup, connected)).to.deep.equal({ ...TWO, site });
    });
  }

  it('stays the same for a connection, even under another address, until the session chooses another', async () => {
    const connected = await setup.connect({ choices: { [setup.key]: 'site-2' } });
    setup.respond([SITES[0], { ...SITES[1], url: 'https://renamed.example' }]);
    mustBe(200, await setup.reconnect(connected));
    expect(await configAt(setup, connected)).to.deep.equal({ ...TWO, siteUrl: 'https://renamed.example' });
    mustBe(200, await setup.reconnect(connected, { choices: { [setup.key]: 'site-1' } }));
    expect(await configAt(setup, connected)).to.deep.equal(ONE);
  });

  for (const [what, session, list] of [
    ['the session chose one that is not there', { choices: { accounts: 'site-3' } }, SITES],
    ['there is none', {}, []],
    ['none is usable', {}, [null, 7, { id: '' }, { id: 'a\nb' }, { id: ['site-1'] }, { name: 'no ID' }]],
    ['the response is no list', {}, { sites: SITES }],
  ] as const) {
    it(`is refused if ${what}`, async () => {
      setup.respond(list);
      const token = await createSession(setup.app, session);
      const page = await authorize(setup.app, { key: setup.key, token });
      expect(page.status).to.equal(400);
      expect(wordsOf(page)).to.match(/this account/);
      expect(await connectionsOf(setup.app)).to.deep.equal([]);
    });
  }

  it('may be chosen only for integrations that exist', async () => {
    const response = await setup.app.api.post('/connect/sessions', { choices: { nobody: 'site-1' } });
    expect([response.status, response.body.error.code]).to.deep.equal([404, 'unknown_provider_config']);
  });

  it('is not shown to the browser', async () => {
    const token = await createSession(setup.app, { choices: { [setup.key]: 'site-2' } });
    expect((await setup.app.client(token).get('/connect/session')).text).to.not.include('site-2');
  });
});

async function configAt({ app }: AccountInstallation, connected: Connected) {
  return (await readConnection(app, connected)).body.connection_config;
}

function redirect(location: string): Behaviour {
  return { response: { status: 302, headers: { location } } };
}
