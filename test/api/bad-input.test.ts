import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { createSession } from '../support/connect.ts';
import { type ClientResponse, readResponse } from '../support/http-client.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { use } from '../support/use.ts';

type Json = string | boolean | Json[] | { [name: string]: Json };

/** A valid body for each route that accepts one. */
const BODIES: Readonly<Record<string, Json>> = {
  '/integrations': {
    unique_key: 'new',
    provider: 'generic-oauth',
    display_name: 'New',
    credentials: { type: 'OAUTH2', client_id: 'id', client_secret: 'secret', scopes: 'read', webhook_secret: 'secret' },
    integration_config: {
      authorization_url: 'https://auth.example/authorize',
      token_url: 'https://auth.example/token',
      api_base_url: 'https://api.example',
      scope_separator: ',',
    },
  },
  '/connections': {
    provider_config_key: 'one',
    credentials: {
      type: 'OAUTH2',
      access_token: 'token',
      refresh_token: 'token',
      expires_at: '2030-01-01T00:00:00Z',
      config_override: { client_id: 'id', client_secret: 'secret' },
    },
    connection_id: 'new',
    connection_config: { region: 'eu', nested: { list: ['x'] } },
    metadata: { plan: 'team', nested: { list: ['x'] } },
    tags: { org: 'acme' },
    end_user: { id: 'user', email: 'ada@example.com', display_name: 'Ada', tags: { plan: 'team' } },
    webhook_url_override: 'https://hooks.example/x',
  },
  '/connections/metadata': { connection_id: ['stored'], provider_config_key: 'one', metadata: { nested: { list: ['x'] } } },
  '/connect/sessions': {
    tags: { org: 'acme' },
    allowed_integrations: ['one'],
    integrations_config_defaults: { one: { connection_config: { region: 'eu', nested: { list: ['x'] } } } },
  },
  '/connect/sessions/reconnect': { connection_id: 'stored', integration_id: 'one' },
};
const HOSTILE = { 'U+0000': '\u0000', 'half of a surrogate pair': '\ud83e' };
const TABLES = ['integrations', 'connections', 'connect_sessions', 'authorization_flows', 'operation_log', 'api_keys'];

/** Returns the paths of all strings in a value. */
function textsIn(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, [...path, name]));
}

/** Returns a copy of the value with another string at the path. */
function withText(value: Json, path: readonly string[], text: string): Json {
  const [name, ...rest] = path;
  if (name === undefined) return text;
  const copy = structuredClone(value);
  if (typeof copy !== 'object') throw new Error(`there is no ${name}`);
  Reflect.set(copy, name, withText(Reflect.get(copy, name), rest, text));
  return copy;
}

describe('bad input', function () {
  const app = use(this, startApp);
  let untouched: string;

  before(async () => {
    await storeIntegration(app.api, 'one');
    await storeConnection(app, { key: 'one', connectionId: 'stored' });
    await app.services.activity.flush();
    untouched = await rows();
  });

  afterEach('nothing was written', async () => {
    await app.services.activity.flush();
    expect(await rows()).to.equal(untouched);
  });

  async function rows(): Promise<string> {
    const counts = await Promise.all(TABLES.map((table) => app.database.db(table).count()));
    return JSON.stringify(counts);
  }

  const json = { 'content-type': 'application/json' };
  const post = (path: string, body: unknown, headers: Record<string, string> = json): Promise<ClientResponse> =>
    app.api.post(path, body, { headers });

  for (const [path, good] of Object.entries(BODIES)) {
    describe(`in the body of POST ${path}`, () => {
      for (const member of textsIn(good)) {
        for (const [what, text] of Object.entries(HOSTILE)) {
          it(`is ${what} in ${member.join('.')}`, async () => {
            expectError(await post(path, withText(good, member, `a${text}b`)), 'invalid_body');
          });
        }
      }

      it('is a member that does not exist', async () => {
        expectError(await post(path, { ...Object(good), surplus: 1 }), 'invalid_body', ['surplus']);
      });

      for (const name of ['__proto__', 'constructor', 'prototype']) {
        it(`is a member called ${name}, at any depth`, async () => {
          expectError(await post(path, `{"${name}": {"a": 1}}`), 'invalid_body');
          expectError(
            await post(path, `{"tags": {"${name}": "v"}, "integration_config": {"x": {"${name}": 1}}}`),
            'invalid_body',
          );
        });
      }

      const malformed = ['{', '{"a":1', "{'a':1}", '{"a":01}', '[1,]', 'null x', '{"a":1}{"b":2}', 'NaN'];
      for (const text of malformed) {
        it(`is the malformed JSON ${JSON.stringify(text)}`, async () => {
          expectError(await post(path, text), 'invalid_json');
        });
      }

      it('is invalid UTF-8', async () => {
        expectError(await post(path, Buffer.from('{"tags":{"a":"\xff"}}', 'latin1')), 'invalid_json');
      });

      for (const value of ['null', '[]', '"text"', '1', 'true']) {
        it(`is ${value} instead of an object`, async () => {
          expectError(await post(path, value), 'invalid_body');
        });
      }

      it('is one member twice', async () => {
        expectError(await post(path, '{"unique_key":"a","unique_key":"b"}'), 'invalid_body');
      });

      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        'multipart/form-data',
      ]) {
        it(`is announced as ${type}`, async () => {
          expectError(await post(path, JSON.stringify(good), { 'content-type': type }), 'invalid_content_type');
        });
      }

      it('is larger than 2 MiB', async () => {
        expectError(await post(path, { padding: 'x'.repeat(2 * 1024 * 1024) }), 'payload_too_large');
      });

      it('is nested too deep', async () => {
        expectError(await post(path, `${'['.repeat(5_000)}${']'.repeat(5_000)}`), 'invalid_body');
      });

      it('is a query where there is none', async () => {
        expectError(await post(`${path}?surplus=1`, good), 'invalid_query_params', ['surplus']);
      });
    });
  }

  describe('anywhere', () => {
    it('is a body where none is taken', async () => {
      const response = await app.api.call('DELETE', '/connections/x?provider_config_key=one', { body: { a: 1 } });
      expectError(response, 'invalid_body');
    });

    it('is a name of the object prototype in the query', async () => {
      for (const query of ['__proto__[a]=1', 'tags[__proto__]=1', 'tags[constructor]=1', 'constructor=1']) {
        expectError(await app.api.get(`/connections?${query}`), 'invalid_query_params');
      }
    });

    it('is an encoded U+0000 or invalid UTF-8', async () => {
      expectError(await app.api.get('/connections?connectionId=a%00'), 'invalid_query_params');
      expectError(await app.api.get('/connections?connectionId=%ff'), 'invalid_query_params');
      expectError(await app.api.get('/integrations/%ff'), 'invalid_uri_params');
      expectError(await app.api.get('/integrations/a%00'), 'invalid_uri_params');
    });

    it('is a method that the path does not take', async () => {
      const response = await app.api.put('/connections', {});
      expectError(response, 'method_not_allowed');
      expect(response.headers.get('allow')).to.equal('GET, HEAD, POST');
    });

    it('is an unknown path, or a path in another spelling', async () => {
      for (const path of ['/connections/', '/Connections', '/v1/connections', '/connections/x/y']) {
        expectError(await app.api.get(path), 'not_found');
      }
    });

    it('is an address longer than a server reads', async () => {
      // The request is refused before its endpoint is found, so no endpoint documents this error.
      expectError(await readResponse(await fetch(`${app.url}/connections?connectionId=${'x'.repeat(20_000)}`)), 'uri_too_long');
    });
  });

  describe('of the end user', () => {
    it('is configuration that does not fit, beyond the declared fields or of an odd form', async () => {
      const token = await createSession(app);
      untouched = await rows();
      for (const params of ['params[x]=1', 'params=1', 'params[a][b]=1', 'params[__proto__]=1']) {
        const response = await app.client().get(`/oauth/connect/one?connect_session_token=${token}&${params}`);
        expectError(response, 'invalid_query_params');
      }
    });

    it('is an invalid session token', async () => {
      for (const token of ['x', `svc_connect_session_${'0'.repeat(64)}`, "' or 1=1"]) {
        const response = await app.client().get(`/oauth/connect/one?connect_session_token=${encodeURIComponent(token)}`);
        expectError(response, 'unknown_connect_session_token');
      }
      expectError(await app.client().get('/oauth/connect/one'), 'unknown_connect_session_token');
    });
  });
});

describe('a value that does not fit the provider', function () {
  const app = use(this, startApp);

  before(async () => {
    for (const provider of ['nextcloud', 'salesforce']) await app.api.post('/integrations', { unique_key: provider, provider });
  });

  const session = (hostname: unknown) =>
    app.api.post('/connect/sessions', { integrations_config_defaults: { nextcloud: { connection_config: { hostname } } } });

  for (const hostname of ['evil.example/x', 'a b', '127.0.0.1', 'user@host', 'host:80', 7, null, ['cloud.example']]) {
    const what = JSON.stringify(hostname);
    if (hostname === null) continue;
    it(`is refused when the backend presets ${what}`, async () => {
      const path = ['integrations_config_defaults', 'nextcloud', 'connection_config', 'hostname'];
      expectError(await session(hostname), 'invalid_body', path);
    });
  }

  it('is refused when the end user types it', async () => {
    const token = await createSession(app);
    const url = `/oauth/connect/salesforce?connect_session_token=${token}&params[domain]=evil.example%2Fx`;
    expectError(await app.client().get(url), 'invalid_query_params', ['params', 'domain']);
  });

  it('is never repeated in the response', async () => {
    const secret = canary('a value in the wrong member');
    const responses = [
      await session(`${secret} `),
      await app.api.post('/integrations', {
        unique_key: 'x',
        provider: 'github',
        credentials: { client_id: 7, client_secret: [secret] },
      }),
      await app.api.post('/integrations', { unique_key: 'x', provider: 'github', integration_config: { token_url: secret } }),
      await app.api.post('/connect/sessions', { tags: { end_user_email: secret } }),
      await app.api.post('/connect/sessions', `{"tags": {"a": "${secret}`, { headers: { 'content-type': 'application/json' } }),
    ];
    for (const { status, text } of responses) {
      expect(status).to.equal(400);
      expect(text).not.to.contain(secret.slice(0, 12));
    }
  });
});
