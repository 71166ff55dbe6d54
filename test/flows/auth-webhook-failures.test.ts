import { expect } from 'chai';
import { finish, returnFromProvider, wordsOf } from '../support/authorization.ts';
import { rememberSecret, sweep } from '../support/canaries.ts';
import { authorize, connectAgain, createIntegration, createReconnectSession, createSession } from '../support/connect.ts';
import { connectDirectly, DIRECT_METHODS, directQuery, startDirectApp } from '../support/direct.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { readParams } from '../support/fake-provider/read-params.ts';
import type { Behaviour, EchoPlace } from '../support/scripted-server/behaviour.ts';
import { enableWebhooks, type StoredWebhook, storedWebhooks } from '../support/stored-webhooks.ts';
import { use } from '../support/use.ts';

const TAGS = { team: 'a' };
const KEYED = DIRECT_METHODS['an API key'];
const WITH_LOG = / \(log [0-9a-f-]{36}\)$/;
const JSON_TYPE = { 'content-type': 'application/json' };
const ECHO_PLACES: readonly EchoPlace[] = ['error_body', 'header', 'redirect', 'www_authenticate', 'cookie', 'html_title'];

interface Failing {
  /** Changes to the query with which the provider sends the browser back to the callback. */
  readonly back?: Readonly<Record<string, string | undefined>>;
  /** The response of the token endpoint. */
  readonly token?: Behaviour;
  readonly error: readonly [type: string, description: string];
  readonly logged: { readonly summary?: string; readonly error_code: string; readonly http_status?: number };
}

const FAILURES: Readonly<Record<string, Failing>> = {
  'the user refuses': {
    back: { error: 'access_denied', code: undefined },
    error: ['connection_test_failed', 'The user did not allow access at the provider.'],
    logged: { summary: 'the provider answered access_denied', error_code: 'provider_denied' },
  },
  'the provider sends no code': {
    back: { code: undefined },
    error: ['connection_test_failed', 'The provider reported a problem.'],
    logged: { summary: 'the provider sent the browser back without a code', error_code: 'provider_error' },
  },
  'the provider refuses the code': {
    token: { response: { status: 400, headers: JSON_TYPE, body: '{"error":"invalid_grant"}' } },
    error: ['connection_test_failed', 'The provider accepted the user but issued no token.'],
    logged: { summary: 'the provider answered invalid_grant', error_code: 'token_exchange_failed', http_status: 400 },
  },
  'the provider cannot be reached': {
    token: { delivery: 'reset' },
    error: ['provider_unavailable', 'The provider gave no usable response.'],
    logged: {
      error_code: 'provider_unreachable',
    },
  },
};

describe('the auth webhook of an authorization that fails', function () {
  const provider = use(this, startFakeProvider);
  const app = use(this, () => startDirectApp(provider));

  before(() => createIntegration(app, provider));
  beforeEach(async () => {
    provider.always('token', {});
    await enableWebhooks(app.database.db);
    await forget();
  });

  const forget = () => app.database.db('webhook_messages').delete();
  const webhooks = (): Promise<StoredWebhook[]> => storedWebhooks(app.services);
  const newSession = () => createSession(app, { tags: TAGS, allowed_integrations: ['fake'] });

  async function failWith({ back, token: behaviour }: Omit<Failing, 'error' | 'logged'>, token: string): Promise<void> {
    const returning = await returnFromProvider(app, { token });
    if (behaviour !== undefined) provider.next('token', behaviour);
    expect((await finish(returning, back)).status).to.equal(400);
  }

  for (const [what, failing] of Object.entries(FAILURES)) {
    it(`reports a failed creation when ${what}, with the session’s tags and an error but no connection`, async () => {
      await failWith(failing, await newSession());
      const [{ body } = expect.fail(), ...others] = await webhooks();
      expect(others).to.deep.equal([]);
      const [type, description] = failing.error;
      expect(body.error.description).to.match(WITH_LOG);
      expect(body.error.description.replace(WITH_LOG, '')).to.equal(description);
      expect({ ...body, error: { type: body.error.type } }).to.deep.equal({
        from: 'svc',
        type: 'auth',
        operation: 'creation',
        success: false,
        providerConfigKey: 'fake',
        provider: 'generic-oauth',
        authMode: 'OAUTH2',
        provider_account: null,
        environment: 'dev',
        tags: TAGS,
        error: { type },
      });
      const [, logId] = /\(log (.*)\)$/.exec(body.error.description) ?? [];
      await app.services.activity.flush();
      const logged = { operation: 'creation', status: 'failure', http_status: null, ...failing.logged };
      const entry = (await app.api.get(`/logs/${logId}`)).body.data;
      expect(entry).to.include(logged);
      if (!('summary' in failing.logged))
        expect(entry.summary).to.match(
          /ended the network connection without a response: \w+; the token request may have been processed$/,
        );
    });
  }

  it('reports a failed override with the connection, which keeps its old credentials, and its tags', async () => {
    const connected = await connectAgain(app);
    await forget();
    for (const [session, tags] of [
      [{}, {}],
      [{ tags: { team: 'b' } }, { team: 'b' }],
    ] as const) {
      await failWith(
        { back: { error: 'access_denied', code: undefined } },
        await createReconnectSession(app, connected, session),
      );
      const { body } = (await webhooks()).at(-1) ?? expect.fail();
      expect(body).to.deep.include({ operation: 'override', success: false, connectionId: connected.connectionId, tags });
      expect(body.error.type).to.equal('connection_test_failed');
    }
    expect(await webhooks()).to.have.lengthOf(2);
  });

  it('goes to the webhook URL of the session, with its end user', async () => {
    const webhook_url_override = 'https://override.example/hook';
    const token = await createSession(app, { webhook_url_override, end_user: { id: 'u-1' } });
    await failWith({ back: { code: undefined } }, token);
    const [{ target, body } = expect.fail()] = await webhooks();
    expect(target).to.equal(webhook_url_override);
    expect(body.endUser).to.deep.equal({ endUserId: 'u-1', tags: {} });
  });

  it('reports posted credentials that were refused, once for each try and without repeating them', async () => {
    const token = await createSession(app, { tags: TAGS });
    for (let tries = 1; tries <= 2; tries += 1) {
      provider.next('api', { response: { status: 401 } });
      const response = await connectDirectly(app, KEYED, { query: directQuery(KEYED, token), body: KEYED.body() });
      expect(response.status).to.equal(400);
      expect(await webhooks()).to.have.lengthOf(tries);
    }
    const [{ body } = expect.fail()] = await webhooks();
    expect(body).to.deep.include({ operation: 'creation', success: false, providerConfigKey: 'keyed', authMode: 'API_KEY' });
    expect(body).to.not.have.property('connectionId');
    expect(body.error.type).to.equal('connection_test_failed');
    expect(body.error.description).to.match(/^The provider refused the credentials \(401\)\. \(log /);
    expect(sweep({ told: JSON.stringify(await webhooks()) })).to.deep.equal([]);
  });

  it('is not sent for callbacks and forms that are refused before anything is tried', async () => {
    const token = await newSession();
    const { walker, callback } = await returnFromProvider(app, { token });
    for (const state of ['unknown', undefined]) await finish({ walker, callback }, { state });
    const direct = await createSession(app);
    const wrongForm = { query: directQuery(KEYED, direct), body: { apiKey: 'with a space' } };
    expect((await connectDirectly(app, KEYED, wrongForm)).status).to.equal(400);
    expect(await webhooks()).to.deep.equal([]);
  });

  it('is not sent for a flow that came too late, since the end of its session was reported', async () => {
    const token = await newSession();
    const [late, later] = [await returnFromProvider(app, { token }), await returnFromProvider(app, { token })];
    const exchanges = provider.ledger.of('token').length;
    const barrier = provider.barrier('token');
    const slow = finish(late);
    await provider.ledger.arrived('token', exchanges + 1);
    provider.always('token', {});
    expect((await authorize(app, { token })).status).to.equal(200);
    barrier.open();
    expect((await slow).status).to.equal(400);
    expect((await finish(later)).status).to.equal(400);
    expect((await webhooks()).map(({ body }) => [body.operation, body.success])).to.deep.equal([['creation', true]]);
  });

  it('does not keep the failure from the user when it cannot be sent', async () => {
    const { db } = app.database;
    await db.raw('alter table webhook_messages rename to not_there');
    try {
      const page = await finish(await returnFromProvider(app, { token: await newSession() }), { error: 'access_denied' });
      expect(page.status).to.equal(400);
      expect(wordsOf(page)).to.contain('You didn’t allow access');
      expect(app.logLines.join('')).to.contain('a failed authorization could not be reported');
    } finally {
      await db.raw('alter table not_there rename to webhook_messages');
    }
  });

  it('is sent only where on_new_connection is on', async () => {
    await enableWebhooks(app.database.db, { on_new_connection: false });
    await failWith({ back: { code: undefined } }, await newSession());
    expect(await webhooks()).to.deep.equal([]);
  });

  for (const place of ECHO_PLACES) {
    it(`LEAK-02: repeats nothing that the provider repeats (${place})`, async () => {
      await failWith({ token: { echo: { place, error: 'invalid_grant' } } }, await newSession());
      const sent = provider.ledger.of('token').at(-1) ?? expect.fail('no secret was sent');
      const { code = '', code_verifier: verifier = '' } = readParams(sent);
      rememberSecret('code', code);
      rememberSecret('code verifier', verifier);
      await failWith({ back: { error: provider.clientSecret, error_description: provider.clientSecret } }, await newSession());
      const all = await webhooks();
      expect(all).to.have.lengthOf(2);
      expect(sweep({ told: JSON.stringify(all) })).to.deep.equal([]);
    });
  }
});
