import { expect } from 'chai';
import { connectionsOf, enter, finish, logOf, returnFromProvider, wordsOf } from '../support/authorization.ts';
import { canary, sweep } from '../support/canaries.ts';
import { connectUrl, createSession } from '../support/connect.ts';
import { startOAuth1App } from '../support/oauth1-app.ts';
import type { Behaviour } from '../support/scripted-server/behaviour.ts';
import { use } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';

const KEY = 'hmac-sha1';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const HOSTILE = 'https://attacker.example';

const page = (status: number, body = '', headers = {}): Behaviour => ({ response: { status, headers, body } });

/** Responses to the request for a request token, each with the resulting status and error code of the service. */
const REQUEST_TOKEN: Readonly<Record<string, readonly [Behaviour, number, string]>> = {
  'rejects the app': [page(401, 'oauth_problem=consumer_key_unknown'), 400, 'connection_test_failed'],
  'rejects the callback': [page(403, '{"errors":[{"code":415}]}'), 400, 'connection_test_failed'],
  'has too many requests': [page(429, '', { 'retry-after': '7' }), 503, 'provider_unavailable'],
  'is away': [page(503), 503, 'provider_unavailable'],
  'redirects elsewhere': [page(302, '', { location: `${HOSTILE}/request_token` }), 503, 'provider_unavailable'],
  'does not confirm the callback': [{ members: { oauth_callback_confirmed: undefined } }, 503, 'provider_unavailable'],
  'confirms another version': [{ members: { oauth_callback_confirmed: 'false' } }, 503, 'provider_unavailable'],
  'has no token': [{ members: { oauth_token: undefined } }, 503, 'provider_unavailable'],
  'has an empty secret': [{ members: { oauth_token_secret: '' } }, 503, 'provider_unavailable'],
  'has a page': [
    page(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' }),
    503,
    'provider_unavailable',
  ],
  'has a token with a line break': [{ members: { oauth_token: 'a\r\nb' } }, 503, 'provider_unavailable'],
  'says nothing': [page(200), 503, 'provider_unavailable'],
  'resets the connection': [{ delivery: 'reset' }, 503, 'provider_unavailable'],
  'breaks off': [{ delivery: 'truncate' }, 503, 'provider_unavailable'],
  'never ends': [{ delivery: 'endless' }, 503, 'provider_unavailable'],
};

/** Changes to the callback's parameters, each with the resulting failure. The service then requests no access token. */
const CALLBACKS: Readonly<Record<string, readonly [Record<string, string | undefined>, string]>> = {
  'a denial in the words of X': [{ denied: 'x', oauth_token: undefined, oauth_verifier: undefined }, 'provider_denied'],
  'a denial as a problem': [{ oauth_problem: 'user_refused', oauth_verifier: undefined }, 'provider_denied'],
  'a denial in the words of OAuth 2': [{ error: 'access_denied', oauth_verifier: undefined }, 'provider_denied'],
  'an error that nobody defined': [{ error: 'the user’s secret', oauth_verifier: undefined }, 'provider_denied'],
  'an error of the server': [{ error: 'server_error', oauth_verifier: undefined }, 'provider_error'],
  'another problem': [{ oauth_problem: 'token_expired', oauth_verifier: undefined }, 'provider_error'],
  'no verifier': [{ oauth_verifier: undefined }, 'provider_error'],
  'an empty verifier': [{ oauth_verifier: '' }, 'provider_error'],
  'no request token': [{ oauth_token: undefined }, 'foreign_response'],
  'the request token of nobody': [{ oauth_token: 'another' }, 'foreign_response'],
};

/** Responses to the exchange of the request token for an access token, each with the resulting failure. */
const EXCHANGES: Readonly<Record<string, readonly [Behaviour, string]>> = {
  'is rejected': [page(401, 'oauth_problem=verifier_invalid'), 'token_exchange_failed'],
  'has no secret': [{ members: { oauth_token_secret: undefined } }, 'token_exchange_failed'],
  'has a list for a token': [page(200, '{"oauth_token":["a"],"oauth_token_secret":"b"}'), 'token_exchange_failed'],
  'has markup for a token': [page(200, 'oauth_token=<b>x</b>&oauth_token_secret=y', FORM), 'token_exchange_failed'],
  'has a page': [page(200, '<p>Thank you'), 'token_exchange_failed'],
  'redirects elsewhere': [page(307, '', { location: `${HOSTILE}/access_token` }), 'token_exchange_failed'],
  'is away': [page(500), 'provider_unreachable'],
  'has too many requests': [page(429), 'provider_unreachable'],
  'is reset': [{ delivery: 'reset' }, 'provider_unreachable'],
  'breaks off': [{ delivery: 'truncate' }, 'provider_unreachable'],
};

describe('an authorization by OAuth 1 that fails (OAU-10)', function () {
  const app = use(this, startOAuth1App);

  beforeEach(() => {
    app.provider.consent = 'allow';
  });

  const calls = (endpoint: string) => app.provider.ledger.of(endpoint).length;
  const count = async () => (await connectionsOf(app)).length;

  for (const [what, [behaviour, status, code]] of Object.entries(REQUEST_TOKEN)) {
    it(`ends with ${status} ${code} when the provider ${what} before the redirect`, async () => {
      app.provider.next('request', behaviour);
      const flows = await app.database.db('authorization_flows').count();
      const token = await createSession(app);
      const response = await app.client().get(connectUrl(app, { key: KEY, token }).slice(app.url.length), {
        headers: { accept: 'application/json' },
      });
      expect(response.status, response.text).to.equal(status);
      expect(response.body.error.code).to.equal(code);
      if (what === 'has too many requests') expect(response.headers.get('retry-after')).to.equal('7');
      expect(sweep({ response: response.text })).to.deep.equal([]);
      expect(await app.database.db('authorization_flows').count()).to.deep.equal(flows);
      await app.services.activity.flush();
      const logged = await app.database.db('operation_log').orderBy('created_at', 'desc').first();
      expect(logged).to.include({ type: 'auth', operation: 'creation', status: 'failure', provider_config_key: KEY });
      // The failure has not used up the connect session.
      expect((await enter(app, { key: KEY, token })).status).to.equal(302);
    });
  }

  for (const [what, [changes, failure]] of Object.entries(CALLBACKS)) {
    it(`fails with ${failure} after a callback with ${what}`, async () => {
      const [before, exchanged] = [await count(), calls('token')];
      const back = await returnFromProvider(app, { key: KEY });
      const result = await finish(back, changes);
      expect(result.status).to.equal(400);
      const { facts } = (await logOf(app, result)).body.data.messages.at(-1);
      expect(facts.failure).to.equal(failure);
      expect(JSON.stringify(facts)).to.not.include('secret');
      expect(calls('token')).to.equal(exchanged);
      expect(await count()).to.equal(before);
    });
  }

  for (const [what, [behaviour, failure]] of Object.entries(EXCHANGES)) {
    it(`fails with ${failure} when the exchange ${what}`, async () => {
      const before = await count();
      app.provider.next('token', behaviour);
      const result = await finish(await returnFromProvider(app, { key: KEY }));
      expect(result.status).to.equal(400);
      expect((await logOf(app, result)).body.data.messages.at(-1).facts.failure).to.equal(failure);
      expect(sweep({ page: result.text })).to.deep.equal([]);
      expect(await count()).to.equal(before);
    });
  }

  it('says so when the user does not allow it', async () => {
    app.provider.consent = 'deny';
    const result = await finish(await returnFromProvider(app, { key: KEY }));
    expect(wordsOf(result)).to.match(/^Not connected You didn’t allow access in HMAC-SHA1, so nothing was connected\./);
  });

  it('is refused with the verifier of another flow', async () => {
    const before = await count();
    const [own, other] = [await returnFromProvider(app, { key: KEY }), await returnFromProvider(app, { key: KEY })];
    const verifier = other.callback.searchParams.get('oauth_verifier') ?? '';
    const result = await finish(own, { oauth_verifier: verifier });
    expect((await logOf(app, result)).body.data.messages.at(-1).facts.failure).to.equal('token_exchange_failed');
    expect(await count()).to.equal(before);
  });

  it('does not connect a person who opens the callback of an attacker to the attacker’s account', async () => {
    const before = await count();
    const attacker = await returnFromProvider(app, { key: KEY });
    const victim = await returnFromProvider(app, { key: KEY });
    // The victim's browser brings the attacker's state, and then its own state with the attacker's token.
    expect((await finish(attacker, {}, victim.walker)).status).to.equal(400);
    const { searchParams } = attacker.callback;
    const swapped = await finish(victim, {
      oauth_token: searchParams.get('oauth_token') ?? '',
      oauth_verifier: searchParams.get('oauth_verifier') ?? '',
    });
    expect(wordsOf(swapped)).to.match(/^Not connected The response did not come from HMAC-SHA1/);
    expect(await count()).to.equal(before);
  });

  it('is not repeated, because a callback counts once', async () => {
    const back = await returnFromProvider(app, { key: KEY });
    expect((await finish(back)).status).to.equal(200);
    const [before, exchanged] = [await count(), calls('token')];
    const again = await finish(back);
    expect(wordsOf(again)).to.match(/^Connected /);
    expect((await finish(back, { state: undefined })).status).to.equal(400);
    expect(calls('token')).to.equal(exchanged);
    expect(await count()).to.equal(before);
  });

  it('takes its hosts from the definition, never from a response', async () => {
    const members = {
      authorization_url: `${HOSTILE}/authorize`,
      xoauth_request_auth_url: `${HOSTILE}/authorize`,
      token_url: `${HOSTILE}/access_token`,
      location: HOSTILE,
    };
    app.provider.next('request', { members });
    app.provider.next('token', { members });
    const walker = new WebWalker();
    const back = await returnFromProvider(app, { key: KEY, walker });
    expect(back.callback.origin).to.equal(app.url);
    expect((await finish(back)).status).to.equal(200);
    expect(app.logLines.join('\n')).to.not.include('attacker.example');
  });

  it('says to the user whether the app or the provider is at fault', async () => {
    app.provider.next('request', page(401), page(503));
    const pages = [await enter(app, { key: KEY }), await enter(app, { key: KEY })];
    expect(pages.map(({ status }) => status)).to.deep.equal([400, 503]);
    expect(wordsOf(pages[0] ?? expect.fail())).to.include('needs to finish setting it up');
    expect(wordsOf(pages[1] ?? expect.fail())).to.include('gave no usable response');
  });

  it('repeats no secret that a provider repeats', async () => {
    const echo = (secret: string) => {
      const headers = { 'www-authenticate': `OAuth oauth_problem_advice="${secret}"`, 'x-debug': secret };
      return page(400, `oauth_problem=${secret}&error=${secret}&error_description=${secret}`, headers);
    };
    for (const key of ['hmac-sha1', 'plaintext']) {
      app.provider.next('request', echo(app.provider.clientSecret));
      const refused = await enter(app, { key });
      expect(refused.status).to.equal(400);
      const back = await returnFromProvider(app, { key });
      const verifier = back.callback.searchParams.get('oauth_verifier') ?? '';
      app.provider.next('token', echo(`${app.provider.clientSecret}&${verifier}`));
      const failed = await finish(back);
      const log = JSON.stringify((await logOf(app, failed)).body);
      expect(sweep({ refused: refused.text, failed: failed.text, log })).to.deep.equal([]);
    }
  });

  it('does not fill placeholders in texts of a provider', async () => {
    const template = '${integrationConfig.server}/${credentials.oauth_token_secret}?a=b#c';
    app.provider.next('request', { members: { oauth_token: template, oauth_token_secret: canary('odd secret') } });
    const location = new URL((await enter(app, { key: KEY })).headers.get('location') ?? '');
    expect(location.origin).to.equal(app.provider.url);
    expect(location.searchParams.get('oauth_token')).to.equal(template);

    app.provider.next('token', { members: { oauth_token: template } });
    expect((await finish(await returnFromProvider(app, { key: KEY }))).status).to.equal(200);
    const [newest] = await connectionsOf(app);
    const { body } = await app.api.get(`/connections/${newest?.connection_id}?provider_config_key=${KEY}`);
    expect(body.credentials.oauth_token).to.equal(template);
  });
});
