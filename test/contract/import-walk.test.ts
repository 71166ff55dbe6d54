import { createHash, createHmac, generateKeyPairSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import { fillProviderUrl } from '../../core/auth-modes/building-blocks/provider-template.ts';
import { type Provider, readCatalogue } from '../../core/catalogue/catalogue.ts';
import { loadPlugins } from '../../core/catalogue/plugins/load.ts';
import { joinPlugins } from '../../core/catalogue/plugins/plugins.ts';
import { startApp } from '../support/app.ts';
import { canary, rememberSecret } from '../support/canaries.ts';
import { mustBe, throughProxy } from '../support/connect.ts';
import { serve } from '../support/loopback-server.ts';
import { TestNet } from '../support/test-net.ts';
import { use } from '../support/use.ts';
import { DIRS, exampleSource } from './catalogue-cases.ts';
import { WALKS } from './walks.ts';

interface Seen {
  readonly host: string;
  readonly target: string;
  readonly authorization: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

interface Case {
  readonly credentials: Readonly<Record<string, unknown>>;
  /** The fields that describe the app in the body that creates the integration. */
  readonly app?: Readonly<Record<string, unknown>>;
  /** The `Authorization` header that a proxied call must carry. */
  readonly expected: RegExp | string | undefined;
  /** Set if a token is imported as well, so that svc requests none. */
  readonly isAskedNothing?: true;
}

const apiKey = canary('walked API key');
const password = canary('walked password');
const clientToken = canary('walked client token');
const installationToken = canary('walked installation token');
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = rememberSecret('walked private key', privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
const ownApp = { client_id: 'own-app', client_secret: canary('walked consumer secret') };

/** Credentials of each auth mode other than OAuth 2, and how they arrive at the provider. */
const CASES: Readonly<Record<string, Case>> = {
  API_KEY: { credentials: { apiKey }, expected: `Bearer ${apiKey}` },
  BASIC: {
    credentials: { username: 'SK123', password },
    expected: `Basic ${Buffer.from(`SK123:${password}`).toString('base64')}`,
  },
  TBA: {
    credentials: { token_id: 'token-id', token_secret: canary('walked token secret'), config_override: ownApp },
    expected: /^OAuth realm="1234567", oauth_consumer_key="own-app", oauth_token="token-id", .*oauth_signature="[\w%]+"$/,
  },
  APP: {
    credentials: { app_id: '4711', installation_id: '12345678' },
    app: { credentials: { app_id: '4711', private_key: pem } },
    expected: `Bearer ${installationToken}`,
  },
  OAUTH2_CC: {
    credentials: { client_id: 'own-client', client_secret: canary('walked client secret'), token: clientToken },
    expected: `Bearer ${clientToken}`,
    isAskedNothing: true,
  },
  NONE: { credentials: {}, expected: undefined },
};
/** The header that carries the API key, for providers that do not use `Authorization`. */
const ELSEWHERE: Readonly<Record<string, string>> = { 'generic-api-key': 'x-api-key' };

/**
 * Expected signatures for providers whose plugins sign requests, computed here from the documentation, independently of the
 * plugins.
 */
const SIGNED: Readonly<Record<string, (call: Seen) => string>> = {
  'duo-admin': ({ host, target, headers }) => {
    const nothing = createHash('sha512').digest('hex');
    const [path, query = ''] = target.split('?');
    const text = [headers.date, 'GET', host, path, query, nothing, nothing].join('\n');
    const digest = createHmac('sha512', password).update(text).digest('hex');
    return `Basic ${Buffer.from(`SK123:${digest}`).toString('base64')}`;
  },
};

const catalogue = await readCatalogue(DIRS);
const plugins = joinPlugins(catalogue, await loadPlugins(DIRS));
const providers = catalogue.list().filter(({ definition }) => WALKS.imported(definition));

describe('a provider without a redirect, walked through', function () {
  this.timeout(30_000);
  const seen: Seen[] = [];
  const net = new TestNet();
  const upstream = use(this, () =>
    serve(({ headers, url: target = '' }, response) => {
      seen.push({ host: headers.host ?? '', target, authorization: headers.authorization, headers });
      const token = { token: installationToken, expires_at: new Date(Date.now() + 3_600_000).toISOString() };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(target.endsWith('/access_tokens') ? token : {}));
    }),
  );
  const app = use(this, () => startApp({ net, env: { SVC_OUTBOUND_ALLOW: '' } }));
  beforeEach(() => {
    seen.splice(0);
  });

  it('is tested for all providers whose credentials can be imported', () => {
    expect(providers.map(({ slug }) => slug)).to.include.members([
      'github-app',
      'netsuite-tba',
      'sendgrid',
      'stripe',
      'twilio',
      'unauthenticated',
    ]);
  });

  /** Returns the URL of the provider's API, and routes calls for its host to the fake server. */
  function apiOf(provider: Provider): URL {
    const api = fillProviderUrl(provider.definition.proxy?.base_url ?? '', exampleSource(provider));
    net.add(api.hostname, upstream.url);
    return api;
  }

  async function importOne(provider: Provider, { credentials, app: own = {} }: Case): Promise<string> {
    const { slug: key, definition } = provider;
    const { connectionConfig, integrationConfig } = exampleSource(provider);
    const config = definition.integration_config === undefined ? {} : { integration_config: integrationConfig };
    mustBe(200, await app.api.post('/integrations', { unique_key: key, provider: key, ...config, ...own }));
    const response = await app.api.post('/connections', {
      provider_config_key: key,
      credentials: { type: definition.auth_mode, ...credentials },
      connection_config: connectionConfig,
    });
    mustBe(200, response);
    return response.body.connection_id;
  }

  for (const provider of providers) {
    const { slug: key, definition } = provider;
    it(`accepts ${definition.auth_mode} credentials and sends them as its definition says: ${key}`, async () => {
      const wanted = CASES[definition.auth_mode];
      if (wanted === undefined) throw new Error(`there is no walk for ${definition.auth_mode}`);
      const api = apiOf(provider);
      const connectionId = await importOne(provider, wanted);
      const asked = seen.splice(0);
      for (const one of asked) expect(SIGNED[key]?.(one)).to.be.oneOf([undefined, one.authorization]);
      const { identity, discover = [] } = definition;
      const isAsked =
        wanted.isAskedNothing !== true && (definition.proxy?.verification !== undefined || definition.token_url !== undefined);
      const isAskedByPlugin = plugins.of(key).connection?.afterAuthorization !== undefined;
      expect(asked).to.have.length(Number(isAsked) + Number(isAskedByPlugin) + Number(identity !== undefined) + discover.length);

      expect((await throughProxy(app, { connectionId, key }, { path: '/things?page=2' })).status).to.equal(200);
      const [call] = seen;
      expect(call).to.include({ host: api.host, target: `${api.pathname.replace(/\/$/, '')}/things?page=2` });
      const signature = call && SIGNED[key]?.(call);
      const elsewhere = ELSEWHERE[key];
      if (signature !== undefined) expect(call?.authorization).to.equal(signature);
      else if (elsewhere !== undefined) {
        expect([call?.authorization, call?.headers[elsewhere]]).to.deep.equal([undefined, apiKey]);
      } else if (wanted.expected instanceof RegExp) expect(call?.authorization).to.match(wanted.expected);
      else expect(call?.authorization).to.equal(wanted.expected);
    });
  }

  it('dials nobody else', () => expect(net.strangers()).to.deep.equal([]));
});
