import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { CredentialForm } from '../../core/auth-modes/auth-mode.ts';
import { modeNamed } from '../../core/auth-modes/index.ts';
import { type Provider, readCatalogue } from '../../core/catalogue/catalogue.ts';
import { startApp } from '../support/app.ts';
import { connectionsOf } from '../support/authorization.ts';
import { canary } from '../support/canaries.ts';
import { createSession, mustBe, readConnection, throughProxy } from '../support/connect.ts';
import type { ClientResponse } from '../support/http-client.ts';
import { serve } from '../support/loopback-server.ts';
import type { ScriptedResponse } from '../support/scripted-server/behaviour.ts';
import { deliver } from '../support/scripted-server/deliver.ts';
import { expectError } from '../support/std-error.ts';
import { TestNet } from '../support/test-net.ts';
import { use } from '../support/use.ts';
import { DIRS, exampleSource } from './catalogue-cases.ts';
import { type DocumentedCall, json, SIGN_INS, type SignInCase } from './sign-in-cases.ts';
import { WALKS } from './walks.ts';

interface Seen {
  readonly call: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

const catalogue = await readCatalogue(DIRS);
const providers = catalogue.list().flatMap((provider) => {
  const { form } = modeNamed(provider.definition.auth_mode);
  return form !== undefined && WALKS.signIn(provider.definition) ? [{ provider, form }] : [];
});

describe('a provider with a sign-in, walked through', function () {
  this.timeout(60_000);
  const seen: Seen[] = [];
  const responses = new Map<string, ScriptedResponse>();
  const net = new TestNet();
  const upstream = use(this, () =>
    serve(async (request, response) => {
      const { method = '', url: target = '', headers } = request;
      const call = `${method} ${headers.host}${target.replace(/\?.*/, '')}`;
      seen.push({ call, target, headers, body: await text(request) });
      await deliver(response, responses.get(call) ?? json(200, {}), 'whole');
    }),
  );
  const app = use(this, () => startApp({ net, env: { SVC_OUTBOUND_ALLOW: '' } }));
  beforeEach(() => {
    seen.splice(0);
    responses.clear();
  });

  it('is tested for every sign-in of the catalogue', () =>
    expect(providers.map(({ provider }) => provider.slug)).to.have.members(Object.keys(SIGN_INS)));

  async function integrate({ slug: key, definition }: Provider): Promise<void> {
    const { integrationConfig } = exampleSource({ slug: key, definition } as Provider);
    const config = {
      ...integrationConfig,
      ...('sender_password' in integrationConfig && { sender_password: 'sender-password' }),
    };
    const settings = definition.integration_config === undefined ? {} : { integration_config: config };
    mustBe(200, await app.api.post('/integrations', { unique_key: key, provider: key, ...settings }));
  }

  async function connect(provider: Provider, { path }: CredentialForm, entered: SignInCase['entered']): Promise<ClientResponse> {
    const query = new URLSearchParams({ connect_session_token: await createSession(app) });
    for (const [name, value] of Object.entries(exampleSource(provider).connectionConfig))
      query.set(`params[${name}]`, String(value));
    return app.client().post(`${path}/${provider.slug}?${query}`, entered);
  }

  function script(calls: readonly DocumentedCall[]): void {
    for (const { call, responds } of calls) {
      const [, host = ''] = /^\w+ ([^/:]+)/.exec(call) ?? [];
      net.add(host, upstream.url);
      responses.set(call, responds);
    }
  }

  /** Returns the body of a call, parsed according to its content type. */
  function said({ headers, body }: Seen): unknown {
    const type = String(headers['content-type']);
    if (type.startsWith('application/json')) return JSON.parse(body);
    return type.startsWith('application/x-www-form-urlencoded') ? Object.fromEntries(new URLSearchParams(body)) : body;
  }

  function expectCalls(calls: readonly DocumentedCall[]): void {
    expect(seen.map(({ call }) => call)).to.deep.equal(calls.map(({ call }) => call));
    for (const [index, { sends }] of calls.entries()) {
      const one = seen[index] ?? expect.fail();
      if (sends === undefined) expect(one.body).to.equal('');
      else expect(said(one)).to.deep.equal(sends);
      expect(one.target).to.not.include('?');
    }
    seen.splice(0);
  }

  for (const { provider, form } of providers) {
    const { slug: key, definition } = provider;
    it(`signs in as documented, and again to refresh: ${key}`, async () => {
      const wanted = SIGN_INS[key] ?? expect.fail(`there is no walk for ${key}`);
      const isCookie = definition.token_response?.cookies !== undefined;
      const newToken = () => (isCookie ? `B1SESSION=${canary('walked cookie')}; ROUTEID=.node1` : canary('walked token'));
      await integrate(provider);
      const first = newToken();
      script(wanted.calls(first));
      const response = await connect(provider, form, wanted.entered);
      mustBe(200, response);
      expectCalls(wanted.calls(first));

      const connected = { connectionId: response.body.connectionId, key };
      const { body: record } = await readConnection(app, connected);
      const { expires_at, raw, ...shown } = record.credentials;
      expect(Object.values(shown)).to.include(first);
      expect((Date.parse(expires_at) - Date.now()) / 1000).to.be.within(wanted.lifetime - 120, wanted.lifetime + 120);
      for (const secret of Object.values(wanted.entered).filter((text) => text.length === 40))
        expect(JSON.stringify(raw)).to.not.include(secret);
      expect(record.connection_config).to.deep.include(wanted.finds ?? {});

      if (wanted.carries !== undefined) {
        mustBe(200, await throughProxy(app, connected, { path: '/things' }));
        expect(seen.splice(0)[0]?.headers).to.include(wanted.carries(first));
      }

      const second = newToken();
      script(wanted.calls(second));
      const renewed = await readConnection(app, connected, '&force_refresh=true');
      expect(Object.values(renewed.body.credentials)).to.include(second);
      expectCalls(wanted.calls(second));

      const calls = wanted.calls(newToken());
      const last = calls.at(-1) ?? expect.fail();
      responses.set(last.call, json(503, {}));
      expectError(await readConnection(app, connected, '&force_refresh=strict'), 'provider_unavailable');
      responses.set(last.call, wanted.refuses);
      await app.clock.advance(3_600_000, app.database.db);
      expectError(await readConnection(app, connected, '&force_refresh=true'), 'invalid_credentials');
    });

    it(`stores nothing unless the provider accepts the entered credentials: ${key}`, async () => {
      const wanted = SIGN_INS[key] ?? expect.fail(`there is no walk for ${key}`);
      const calls = wanted.calls('unused');
      const last = calls.at(-1) ?? expect.fail();
      const before = (await connectionsOf(app)).length;
      for (const [responds, code] of [
        [wanted.refuses, 'connection_test_failed'],
        [json(500, {}), 'provider_unavailable'],
        [json(302, {}, { location: 'https://evil.example/' }), 'provider_unavailable'],
        [{ status: 200, body: '<!DOCTYPE html><html>Sign in</html>' }, 'provider_unavailable'],
      ] as const) {
        script(calls);
        responses.set(last.call, responds);
        expectError(await connect(provider, form, wanted.entered), code);
      }
      expect(await connectionsOf(app)).to.have.length(before);
    });
  }

  it('dials nobody else', () => expect(net.strangers()).to.deep.equal([]));
});
