import { expect } from 'chai';
import { connectionsOf, enter, finish, logOf, returnFromProvider, wordsOf } from '../support/authorization.ts';
import { canary } from '../support/canaries.ts';
import { createIntegration, createSession } from '../support/connect.ts';
import { freePort } from '../support/free-port.ts';
import { startIntegratedTenant } from '../support/integrated-app.ts';
import { withoutCalls } from '../support/operation-messages.ts';
import type { Behaviour, EchoPlace } from '../support/scripted-server/behaviour.ts';
import { isLong } from '../support/size.ts';
import { use } from '../support/use.ts';

const NAME = 'Generic OAuth 2.0';
const NOT_CALLED = 'Not connected Something went wrong on our side.';
const UNREACHABLE = `Not connected We got no usable response from ${NAME}. Try again in a moment.`;
const REFUSED = `Not connected ${NAME} accepted you but refused to finish.`;
const PROBLEM = `Not connected ${NAME} reported a problem.`;
const FOREIGN = `Not connected The response did not come from ${NAME}, so nothing was connected.`;
const DENIED = `Not connected You didn’t allow access in ${NAME}, so nothing was connected.`;

const HTML = { 'content-type': 'text/html' };
const JSON_TYPE = { 'content-type': 'application/json' };
const ECHO_PLACES: readonly EchoPlace[] = ['error_body', 'header', 'redirect', 'www_authenticate', 'cookie', 'html_title'];

/** Changes to the callback, each with the text that the user then reads. */
const RETURNS: Readonly<Record<string, readonly [Record<string, string | undefined>, string]>> = {
  'the user’s refusal': [{ error: 'access_denied', code: undefined }, DENIED],
  'a broken server': [{ error: 'server_error', code: undefined }, PROBLEM],
  'a server that is too busy': [{ error: 'temporarily_unavailable', code: undefined }, PROBLEM],
  'a scope that does not exist': [{ error: 'invalid_scope', code: undefined }, PROBLEM],
  'a client that may not do this': [{ error: 'unauthorized_client', code: undefined }, PROBLEM],
  'an error of its own invention': [{ error: 'quota<script>', code: undefined }, PROBLEM],
  'an error beside a code': [{ error: 'access_denied' }, DENIED],
  'no code': [{ code: undefined }, PROBLEM],
  'an empty code': [{ code: '' }, PROBLEM],
};

/** Responses of the token endpoint, each with the text that the user then reads. */
const ANSWERS: Readonly<Record<string, readonly [Behaviour, string]>> = {
  'a page instead of tokens': [{ response: { status: 200, headers: HTML, body: '<h1>Welcome</h1>' } }, REFUSED],
  'a page about a failure': [{ response: { status: 502, headers: HTML, body: '<h1>Bad gateway</h1>' } }, UNREACHABLE],
  'nothing at all': [{ response: { status: 200, headers: JSON_TYPE, body: '' } }, REFUSED],
  'JSON that is cut off': [{ response: { status: 200, headers: JSON_TYPE, body: '{"access_token":"abc' } }, REFUSED],
  'JSON without a token': [{ response: { status: 200, headers: JSON_TYPE, body: '{"ok":true}' } }, REFUSED],
  'an error with status 200': [{ response: { status: 200, headers: JSON_TYPE, body: '{"error":"invalid_grant"}' } }, REFUSED],
  'a refused code': [{ response: { status: 400, headers: JSON_TYPE, body: '{"error":"invalid_grant"}' } }, REFUSED],
  'a refused client': [{ response: { status: 401, headers: JSON_TYPE, body: '{"error":"invalid_client"}' } }, REFUSED],
  'a limit': [{ response: { status: 429, headers: { 'retry-after': '60' } } }, UNREACHABLE],
  'a redirect': [{ response: { status: 307, headers: { location: 'http://127.0.0.1:1/' } } }, REFUSED],
  'a body without an end': [{ delivery: 'endless' }, PROBLEM],
  'a reset': [{ delivery: 'reset' }, UNREACHABLE],
  'a reset in the middle': [{ delivery: 'reset_inside' }, UNREACHABLE],
  'half a response': [{ delivery: 'truncate' }, UNREACHABLE],
  ...(isLong && {
    'nothing, ever': [{ delivery: 'hang' }, UNREACHABLE],
    'half a response, ever': [{ delivery: 'stall' }, UNREACHABLE],
  }),
};

describe('an authorization that fails at the provider', function () {
  this.timeout(40_000);
  const app = use(this, startIntegratedTenant);
  /** A text in the provider's responses that must not appear anywhere; the sweep at the end searches for it. */
  const words = canary('the provider’s own words');

  before(async () => {
    await createIntegration(app, app.provider, { key: 'strict', config: { issuer: app.provider.url } });
  });

  /**
   * Asserts that the page says what happened, the log says more, nothing was stored, and the session can be used again.
   *
   * @returns the log entry
   */
  async function expectFailure(
    { key = 'fake', expected }: { key?: string; expected: string },
    attempt: (token: string) => Promise<Awaited<ReturnType<typeof finish>>>,
  ): Promise<string> {
    const token = await createSession(app);
    const before = await connectionsOf(app);
    const page = await attempt(token);
    expect(page.status).to.equal(400);
    expect(wordsOf(page).replace(/ Reference: .*/, '')).to.equal(expected);
    expect(page.text).not.to.include(words).and.not.to.include('<script');

    const { status, body, text } = await logOf(app, page);
    expect(status).to.equal(200);
    expect(body.data).to.include({ type: 'auth', operation: 'creation', status: 'failure', provider_config_key: key });
    expect(withoutCalls(body.data.messages)).to.have.length(1);
    expect(text)
      .not.to.include(words)
      .and.not.to.match(/ at .*\.ts:/);

    expect(await connectionsOf(app)).to.deep.equal(before);
    const again = await finish(await returnFromProvider(app, { token }));
    expect(again.status, again.text).to.equal(200);
    return text;
  }

  for (const [what, [changes, expected]] of Object.entries(RETURNS)) {
    it(`with ${what} in the callback asks for no token`, async () => {
      const calls = app.provider.ledger.of('token').length;
      await expectFailure({ expected }, async (token) => {
        const back = await returnFromProvider(app, { token });
        const page = await finish(back, { error_description: words, error_uri: `https://${words}.example`, ...changes });
        expect(app.provider.ledger.of('token')).to.have.length(calls);
        return page;
      });
    });
  }

  for (const [what, [behaviour, expected]] of Object.entries(ANSWERS)) {
    it(`with ${what} from the token endpoint`, async () => {
      await expectFailure({ expected }, async (token) => {
        const back = await returnFromProvider(app, { token });
        app.provider.next('token', behaviour);
        return finish(back);
      });
    });
  }

  for (const place of ECHO_PLACES) {
    it(`with code, verifier and client secret repeated (${place}) repeats none of them (LEAK-02)`, async () => {
      const token = await createSession(app);
      const back = await returnFromProvider(app, { token });
      app.provider.next('token', { echo: { place, error: `invalid_grant ${words}` } });
      const page = await finish(back);
      expect(page.status).to.equal(400);
      const log = await logOf(app, page);
      for (const secret of [words, app.provider.clientSecret, back.callback.searchParams.get('code') ?? '']) {
        expect(page.text + log.text).not.to.include(secret);
      }
    });
  }

  const ISSUERS: Readonly<Record<string, string | undefined>> = {
    'another issuer': 'https://evil.example',
    'no issuer': undefined,
    'its issuer and a slash': '/',
    'its issuer in capitals': 'HTTP',
  };
  for (const [what, iss] of Object.entries(ISSUERS)) {
    it(`with ${what} in the callback, where the provider promises one, asks for no token`, async () => {
      const calls = app.provider.ledger.of('token').length;
      await expectFailure({ key: 'strict', expected: FOREIGN }, async (token) => {
        const back = await returnFromProvider(app, { token, key: 'strict' });
        const wrong: Readonly<Record<string, string>> = { '/': `${app.provider.url}/`, HTTP: app.provider.url.toUpperCase() };
        const page = await finish(back, { iss: iss === undefined ? undefined : (wrong[iss] ?? iss) });
        expect(app.provider.ledger.of('token')).to.have.length(calls);
        return page;
      });
    });
  }

  const ADDRESSES: Readonly<Record<string, () => Promise<string> | string>> = {
    'where nobody listens': async () => `http://127.0.0.1:${await freePort()}/token`,
    'that is another address of this machine': () => 'https://127.0.0.2/token',
    'of this machine in another family': () => 'https://[::1]/token',
    'of this machine, mapped': () => 'https://[::ffff:127.0.0.3]/token',
  };
  for (const [what, address] of Object.entries(ADDRESSES)) {
    it(`with a token address ${what}`, async () => {
      const key = `at-${what.replaceAll(/\W/g, '-')}`;
      await createIntegration(app, app.provider, { key, config: { token_url: await address() } });
      const expected = what === 'where nobody listens' ? UNREACHABLE : NOT_CALLED;
      const log = await expectFailure({ key, expected }, async (token) => finish(await returnFromProvider(app, { token, key })));
      expect(log).to.match(/refuses the network connection|the address of the token endpoint is not allowed/);
    });
  }

  it('before it begins, because its app is not set up, is explained on a page', async () => {
    const input = { unique_key: 'bare', provider: 'generic-oauth' };
    const config = {
      authorization_url: app.provider.authorizationUrl,
      token_url: app.provider.tokenUrl,
      api_base_url: app.provider.url,
    };
    const created = await app.api.post('/integrations', { ...input, integration_config: config });
    expect(created.status, created.text).to.equal(200);
    const page = await enter(app, { key: 'bare' });
    expect(page.status).to.equal(400);
    expect(wordsOf(page)).to.include('Whoever sent you here needs to finish setting it up.');
  });
});
