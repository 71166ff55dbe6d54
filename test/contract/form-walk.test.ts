import { expect } from 'chai';
import type { CredentialForm } from '../../core/auth-modes/auth-mode.ts';
import { fillProviderUrl } from '../../core/auth-modes/building-blocks/provider-template.ts';
import { modeNamed } from '../../core/auth-modes/index.ts';
import { type Provider, readCatalogue } from '../../core/catalogue/catalogue.ts';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { createSession, mustBe, throughProxy } from '../support/connect.ts';
import { sessionResponse, stsError } from '../support/fake-aws.ts';
import { serve } from '../support/loopback-server.ts';
import { TestNet } from '../support/test-net.ts';
import { use } from '../support/use.ts';
import { DIRS, exampleSource } from './catalogue-cases.ts';
import { SIGNED_TOKEN_CASES } from './signed-token-cases.ts';
import { WALKS } from './walks.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

interface Case {
  readonly body: Readonly<Record<string, unknown>>;
  /** The fields that describe the app in the body that creates the integration. */
  readonly app?: Readonly<Record<string, unknown>>;
  /** The response of the token endpoint, if the auth mode has one. */
  readonly tokenResponse?: string;
  /** The token endpoint's response to the second request, if there is one. */
  readonly nextResponse?: { readonly status: number; readonly body?: unknown };
  /** Returns whether a call to the API carries the credentials. */
  readonly isAuthenticated: (headers: Headers) => boolean;
}

const SESSION = { id: 'ASIAEXAMPLE', secret: canary('walked session key'), sessionToken: canary('walked session token') };

/**
 * Form entries by provider or by auth mode, for auth modes whose credentials cannot be imported, except sign-ins, which have
 * another walk.
 */
const CASES: Readonly<Record<string, Case>> = {
  ...SIGNED_TOKEN_CASES,
  SIGNATURE: {
    body: { username: 'account001', password: canary('walked signing password') },
    isAuthenticated: (headers) => /^UsernameToken Username="account001", PasswordDigest="/.test(String(headers['x-wsse'])),
  },
  AWS_SIGV4: {
    body: { role_arn: 'arn:aws:iam::123456789012:role/example' },
    app: { credentials: { client_id: 'AKIAEXAMPLE', client_secret: canary('walked AWS key') } },
    tokenResponse: String(sessionResponse(SESSION, new Date(Date.now() + 3_600_000)).body),
    // svc asks a second time with another external ID, which AWS must refuse.
    nextResponse: stsError(403, 'AccessDenied'),
    isAuthenticated: (headers) =>
      headers['x-amz-security-token'] === SESSION.sessionToken &&
      String(headers['authorization']).startsWith(`AWS4-HMAC-SHA256 Credential=${SESSION.id}/`),
  },
};

const catalogue = await readCatalogue(DIRS);
const providers = catalogue.list().flatMap((provider) => {
  const { form } = modeNamed(provider.definition.auth_mode);
  return form !== undefined && WALKS.form(provider.definition) ? [{ provider, form }] : [];
});

describe('a provider with a form, walked through', function () {
  this.timeout(30_000);
  const seen: { readonly host: string; readonly target: string; readonly headers: Headers }[] = [];
  const net = new TestNet();
  let tokenHost = '';
  let tokenResponses: { readonly status: number; readonly body?: unknown }[] = [];
  const upstream = use(this, () =>
    serve(({ headers, url: target = '' }, response) => {
      const isTokenRequest = headers.host === tokenHost;
      if (!isTokenRequest) seen.push({ host: headers.host ?? '', target, headers });
      const { status, body } = (isTokenRequest && tokenResponses.shift()) || { status: 200, body: '{}' };
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    }),
  );
  const app = use(this, () => startApp({ net, env: { SVC_OUTBOUND_ALLOW: '' } }));
  beforeEach(() => {
    seen.splice(0);
  });

  async function connect(provider: Provider, { path }: CredentialForm, { body, app: own = {} }: Case): Promise<string> {
    const { slug: key, definition } = provider;
    const { connectionConfig, integrationConfig } = exampleSource(provider);
    const config = definition.integration_config === undefined ? {} : { integration_config: integrationConfig };
    mustBe(200, await app.api.post('/integrations', { unique_key: key, provider: key, ...config, ...own }));
    const isFixed = (name: string) => definition.connection_config?.[name]?.hidden === true;
    const fixed = Object.fromEntries(Object.entries(connectionConfig).filter(([name]) => isFixed(name)));
    const session = { integrations_config_defaults: { [key]: { connection_config: fixed } } };
    const query = new URLSearchParams({ connect_session_token: await createSession(app, session) });
    for (const [name, value] of Object.entries(connectionConfig)) if (!isFixed(name)) query.set(`params[${name}]`, String(value));
    const response = await app.client().post(`${path}/${key}?${query}`, body);
    mustBe(200, response);
    return response.body.connectionId;
  }

  for (const { provider, form } of providers) {
    const { slug: key, definition } = provider;
    it(`accepts entered credentials and authenticates calls with them: ${key}`, async () => {
      const wanted = CASES[key] ?? CASES[definition.auth_mode] ?? expect.fail(`there is no walk for ${definition.auth_mode}`);
      const api = fillProviderUrl(definition.proxy?.base_url ?? '', exampleSource(provider));
      net.add(api.hostname, upstream.url);
      const { token_url } = definition;
      const token = token_url === undefined ? undefined : fillProviderUrl(token_url, exampleSource(provider));
      if (token !== undefined) net.add(token.hostname, upstream.url);
      tokenHost = token?.host ?? '';
      const { tokenResponse, nextResponse } = wanted;
      tokenResponses = [{ status: 200, body: tokenResponse }, ...(nextResponse === undefined ? [] : [nextResponse])];
      const connectionId = await connect(provider, form, wanted);
      const [proof] = seen.splice(0);
      const endpoint = definition.proxy?.verification?.endpoints[0];
      expect(proof?.target).to.equal(endpoint && api.pathname.replace(/\/$/, '') + endpoint);

      mustBe(200, await throughProxy(app, { connectionId, key }, { path: '/things?page=2' }));
      const [call] = seen;
      expect(call).to.include({ host: api.host, target: `${api.pathname.replace(/\/$/, '')}/things?page=2` });
      for (const one of [proof, call]) if (one !== undefined) expect(wanted.isAuthenticated(one.headers)).to.equal(true);
    });
  }

  it('dials nobody else', () => expect(net.strangers()).to.deep.equal([]));
});
