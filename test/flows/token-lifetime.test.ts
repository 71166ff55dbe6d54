import { expect } from 'chai';
import type { TestApp } from '../support/app.ts';
import { type Connected, connectAgain, mustBe, readConnection, reconnect } from '../support/connect.ts';
import { refreshDue } from '../support/due-work.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../support/folders.ts';
import { Installation } from '../support/installation.ts';
import { use } from '../support/use.ts';

const HOUR = 3600;
const SILENT = { members: { expires_in: undefined } };
const URL_FIELD = { type: 'string', title: 'URL', format: 'uri' };
const DEFINITION = {
  docs: 'https://docs.example',
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.authorization_url}',
  token_url: '${integrationConfig.token_url}',
  integration_config: { authorization_url: URL_FIELD, token_url: URL_FIELD },
};
const DEFINITIONS = {
  plain: { ...DEFINITION, display_name: 'Plain' },
  // This provider states the lifetime of its tokens only in its documentation, so its definition has to state it.
  reticent: { ...DEFINITION, display_name: 'Reticent', token_lifetime: 2 * HOUR },
  // This provider wants its tokens refreshed an hour before they expire.
  patient: { ...DEFINITION, display_name: 'Patient', token_expiration_buffer: HOUR },
};

describe('the lifetime of a token', function () {
  const folders = use(this, () =>
    makeFolders(
      Object.fromEntries(
        Object.entries(DEFINITIONS).map(([slug, definition]) => [`${slug}/provider.json`, JSON.stringify(definition)]),
      ),
    ),
  );
  const installation = use(this, () => Installation.open());
  const provider = use(this, () => startFakeProvider({ rotation: 'strict' }));
  let app: TestApp;

  before(async () => {
    app = await installation.startApp({ SVC_PROVIDERS_DIR: folders.path });
    for (const slug of Object.keys(DEFINITIONS)) await createIntegration(slug);
  });
  afterEach(() => provider.always('token', {}));

  it('is the last one that a response stated, when the next one names none', async () => {
    const connected = await connectAgain(app, 'plain');
    provider.always('token', SILENT);
    await expectRenewalAfter(connected, HOUR);
    await expectRenewalAfter(connected, HOUR);
  });

  it('is the last one that a response stated also after a new authorization', async () => {
    const connected = await connectAgain(app, 'plain');
    provider.always('token', SILENT);
    await reconnect(app, connected);
    await expectRenewalAfter(connected, HOUR);
  });

  it('is that of the definition until a response states one', async () => {
    provider.always('token', SILENT);
    const connected = await connectAgain(app, 'reticent');
    expect(await leftSeconds(connected)).to.be.within(2 * HOUR - 10, 2 * HOUR);
    await expectRenewalAfter(connected, 2 * HOUR);
    provider.always('token', {});
    await expectRenewalAfter(connected, 2 * HOUR);
    provider.always('token', SILENT);
    await expectRenewalAfter(connected, HOUR);
  });

  it('is unknown where nothing states it, and the token is used until a day has passed', async () => {
    provider.always('token', SILENT);
    const connected = await connectAgain(app, 'plain');
    const before = tokenCalls();
    await installation.advance(20 * HOUR);
    expect(await readConnection(app, connected))
      .to.have.nested.property('body.credentials')
      .that.does.not.have.property('expires_at');
    expect(tokenCalls()).to.equal(before);
    await installation.advance(5 * HOUR);
    await refreshDue(app.services);
    expect(tokenCalls()).to.be.above(before);
  });

  it('ends at the same time for the sweep as for callers when the definition asks for early refreshes', async () => {
    provider.always('token', { members: { expires_in: 12 * HOUR } });
    const [swept, asked] = [await connectAgain(app, 'patient'), await connectAgain(app, 'patient')];
    await installation.advance(10.9 * HOUR);
    const before = await tokens(swept, asked);
    expect(await tokens(swept, asked)).to.deep.equal(before);
    await refreshDue(app.services);
    expect(await storedGenerations(swept, asked)).to.deep.equal([1, 1]);

    await installation.advance(0.2 * HOUR);
    const callsBefore = tokenCalls();
    await readConnection(app, asked);
    expect(tokenCalls()).to.equal(callsBefore + 1);
    await refreshDue(app.services);
    expect(await storedGenerations(swept, asked)).to.deep.equal([2, 2]);
  });

  /** Asserts that reading the connection refreshes the token after this lifetime, but not after half of it. */
  async function expectRenewalAfter(connected: Connected, seconds: number): Promise<void> {
    const before = tokenCalls();
    await installation.advance(seconds / 2);
    await readConnection(app, connected);
    expect(tokenCalls(), 'token requests after half of the lifetime').to.equal(before);
    await installation.advance(seconds / 2 + 1);
    const { status, body } = await readConnection(app, connected);
    expect(status).to.equal(200);
    expect(tokenCalls(), 'token requests after the lifetime').to.equal(before + 1);
    expect(provider.grants.isLive(body.credentials.access_token)).to.equal(true);
  }

  async function leftSeconds(connected: Connected): Promise<number> {
    const { body } = await readConnection(app, connected);
    return (Date.parse(body.credentials.expires_at) - Date.now()) / 1000;
  }

  async function tokens(...connected: Connected[]): Promise<string[]> {
    const responses = await Promise.all(connected.map((one) => readConnection(app, one)));
    return responses.map(({ body }) => body.credentials.access_token);
  }

  async function storedGenerations(...connected: Connected[]): Promise<number[]> {
    const rows: { connection_id: string; generation: number }[] = await installation.db('connections').select('*');
    return connected.map(({ connectionId }) => rows.find(({ connection_id }) => connection_id === connectionId)?.generation ?? 0);
  }

  async function createIntegration(slug: string): Promise<void> {
    const { clientId: client_id, clientSecret: client_secret, authorizationUrl: authorization_url, tokenUrl } = provider;
    const credentials = { type: 'OAUTH2', client_id, client_secret };
    const integration_config = { authorization_url, token_url: tokenUrl };
    mustBe(200, await app.api.post('/integrations', { unique_key: slug, provider: slug, credentials, integration_config }));
  }

  function tokenCalls(): number {
    return provider.ledger.of('token').length;
  }
});
