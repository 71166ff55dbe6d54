import { expect } from 'chai';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

const KEY = 'one';
const PRESETS = 'integrations_config_defaults';

function text(length: number, start = ''): string {
  return start + 'x'.repeat(length - start.length);
}

/** Returns an object of `count` fields, each with a value from `make`. */
function members<T>(count: number, make: (index: number) => T): Record<string, T> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, make(index)]));
}

function preset(value: object): object {
  return { [PRESETS]: { [KEY]: value } };
}

function config(value: unknown): object {
  return preset({ connection_config: value });
}

const inPreset = (...rest: string[]) => [PRESETS, KEY, ...rest];
const inConfig = (...rest: string[]) => inPreset('connection_config', ...rest);

/**
 * Fields of a request for a connect session that are accepted both for a new connection and for reconnecting, at the boundary of
 * each limit.
 */
const ACCEPTED: Readonly<Record<string, object>> = {
  'no tags': { tags: {} },
  'ten tags': { tags: members(10, () => 'v') },
  'a tag of the longest key and value': { tags: { [text(64)]: text(255) } },
  'an end user with an ID alone': { end_user: { id: 'u' } },
  'an end user of the longest members': {
    end_user: { id: text(255), email: `${text(64)}@example.org`, display_name: text(255), tags: members(64, () => text(64)) },
  },
  'an empty name of an end user': { end_user: { id: 'u', display_name: '' } },
  'an organization of the longest members': { end_user: { id: 'u' }, organization: { id: text(255), display_name: text(255) } },
  'an organization of nobody': { organization: { id: 'o' } },
  'no presets': { [PRESETS]: {} },
  'a preset that says nothing': preset({}),
  'user scopes': preset({ user_scopes: 'chat:write,users:read' }),
  'the longest user scopes': preset({ user_scopes: text(8192) }),
  'no parameters': preset({ authorization_params: {} }),
  'a hundred parameters': preset({ authorization_params: members(100, () => 'v') }),
  'a parameter of the longest name and value': preset({ authorization_params: { [text(255)]: text(4096) } }),
  'any configuration': config({ text: 'a', number: 1, list: [true, null], nested: { deep: {} } }),
  'a configuration of 64 KB': config({ a: text(64 * 1024 - '{"a":""}'.length) }),
  'an app of its own': config({ oauth_client_id_override: text(255), oauth_client_secret_override: text(16_384) }),
  'no choices': { choices: {} },
  'the longest choice': { choices: { [KEY]: text(255) } },
  'scopes of its own': config({ oauth_scopes_override: 'read,write' }),
  'a webhook address among the configuration': config({ webhook_url: 'https://hooks.example/a' }),
  'no override': { overrides: {} },
  'an override that says nothing': { overrides: { [KEY]: {} } },
  'a guide of the longest address': { overrides: { [KEY]: { docs_connect: text(2048, 'https://docs.example/') } } },
  'a webhook address': { webhook_url_override: 'https://hooks.example/a?b=c' },
  'the longest webhook address': { webhook_url_override: text(2048, 'https://hooks.example/') },
  'no webhook address': { webhook_url_override: '' },
};

/** Fields that are refused both for a new connection and for reconnecting, each with the path that the error must name. */
const REFUSED: Readonly<Record<string, readonly [object, readonly string[]]>> = {
  'an unknown member': [{ unknown: 1 }, ['unknown']],
  'tags that are no object': [{ tags: [] }, ['tags']],
  'a tag that is no text': [{ tags: { a: 1 } }, ['tags', 'a']],
  'a tag that breaks a rule': [{ tags: { '1a': 'v' } }, ['tags', '1a']],
  'eleven tags': [{ tags: members(11, () => 'v') }, ['tags']],
  'ten tags beside those of an end user': [{ tags: members(10, () => 'v'), end_user: { id: 'u' } }, ['tags']],
  'ten tags beside those of an organization': [{ tags: members(10, () => 'v'), organization: { id: 'o' } }, ['tags']],

  'an end user that is no object': [{ end_user: 'u' }, ['end_user']],
  'an end user that is null': [{ end_user: null }, ['end_user']],
  'an end user without an ID': [{ end_user: {} }, ['end_user', 'id']],
  'an end user whose ID is a number': [{ end_user: { id: 1 } }, ['end_user', 'id']],
  'an empty ID of an end user': [{ end_user: { id: '' } }, ['end_user', 'id']],
  'too long an ID of an end user': [{ end_user: { id: text(256) } }, ['end_user', 'id']],
  'an address of an end user that is none': [{ end_user: { id: 'u', email: 'ada' } }, ['end_user', 'email']],
  'an address of an end user that is no text': [{ end_user: { id: 'u', email: 1 } }, ['end_user', 'email']],
  'too long a name of an end user': [{ end_user: { id: 'u', display_name: text(256) } }, ['end_user', 'display_name']],
  'a name of an end user that is no text': [{ end_user: { id: 'u', display_name: {} } }, ['end_user', 'display_name']],
  'too many tags of an end user': [{ end_user: { id: 'u', tags: members(65, () => 'v') } }, ['end_user', 'tags']],
  'too long a tag of an end user': [{ end_user: { id: 'u', tags: { a: text(65) } } }, ['end_user', 'tags', 'a']],
  'a tag of an end user that is no text': [{ end_user: { id: 'u', tags: { a: 1 } } }, ['end_user', 'tags', 'a']],
  'an unknown member of an end user': [{ end_user: { id: 'u', name: 'a' } }, ['end_user', 'name']],

  'an organization that is no object': [{ organization: 'o' }, ['organization']],
  'an organization without an ID': [{ organization: {} }, ['organization', 'id']],
  'an organization whose ID is a number': [{ organization: { id: 1 } }, ['organization', 'id']],
  'too long an ID of an organization': [{ organization: { id: text(256) } }, ['organization', 'id']],
  'too long a name of an organization': [
    { organization: { id: 'o', display_name: text(256) } },
    ['organization', 'display_name'],
  ],
  'a name of an organization that is no text': [{ organization: { id: 'o', display_name: 1 } }, ['organization', 'display_name']],
  'an unknown member of an organization': [{ organization: { id: 'o', tags: {} } }, ['organization', 'tags']],

  'presets that are no object': [{ [PRESETS]: [] }, [PRESETS]],
  'presets of a key that can be none': [{ [PRESETS]: { 'a/b': {} } }, [PRESETS, 'a/b']],
  'presets of more than a thousand': [{ [PRESETS]: members(1001, () => ({})) }, [PRESETS]],
  'a preset that is no object': [{ [PRESETS]: { [KEY]: 'x' } }, inPreset()],
  'an unknown member of a preset': [preset({ scopes: 'a' }), inPreset('scopes')],
  'user scopes that are a list': [preset({ user_scopes: ['a'] }), inPreset('user_scopes')],
  'too long user scopes': [preset({ user_scopes: text(8193) }), inPreset('user_scopes')],
  'parameters that are no object': [preset({ authorization_params: 'a=b' }), inPreset('authorization_params')],
  'a parameter that is no text': [preset({ authorization_params: { a: 1 } }), inPreset('authorization_params', 'a')],
  'a parameter without a name': [preset({ authorization_params: { '': 'v' } }), inPreset('authorization_params', '')],
  'too long a name of a parameter': [
    preset({ authorization_params: { [text(256)]: 'v' } }),
    inPreset('authorization_params', text(256)),
  ],
  'too long a parameter': [preset({ authorization_params: { a: text(4097) } }), inPreset('authorization_params', 'a')],
  'too many parameters': [preset({ authorization_params: members(101, () => 'v') }), inPreset('authorization_params')],
  'a configuration that is no object': [config('x'), inConfig()],
  'a configuration beyond 64 KB': [config({ a: text(64 * 1024) }), inConfig()],
  'scopes of its own that are a list': [config({ oauth_scopes_override: ['a'] }), inConfig('oauth_scopes_override')],
  'a webhook address among the configuration that is none': [config({ webhook_url: 'x' }), inConfig('webhook_url')],
  'a webhook address among the configuration that is no text': [config({ webhook_url: 1 }), inConfig('webhook_url')],

  'a client ID of its own that is empty': [config({ oauth_client_id_override: '' }), inConfig('oauth_client_id_override')],
  'a client secret of its own that is no text': [
    config({ oauth_client_secret_override: 1 }),
    inConfig('oauth_client_secret_override'),
  ],

  'choices that are no object': [{ choices: 'x' }, ['choices']],
  'choices of a key that can be none': [{ choices: { 'a/b': 'x' } }, ['choices', 'a/b']],
  'an empty choice': [{ choices: { [KEY]: '' } }, ['choices', KEY]],
  'a choice that is a list': [{ choices: { [KEY]: ['x'] } }, ['choices', KEY]],

  'overrides that are no object': [{ overrides: 'x' }, ['overrides']],
  'overrides of a key that can be none': [{ overrides: { 'a/b': {} } }, ['overrides', 'a/b']],
  'overrides of more than a thousand': [{ overrides: members(1001, () => ({})) }, ['overrides']],
  'an override that is no object': [{ overrides: { [KEY]: 1 } }, ['overrides', KEY]],
  'an unknown member of an override': [{ overrides: { [KEY]: { theme: 'x' } } }, ['overrides', KEY, 'theme']],
  ...Object.fromEntries(
    Object.entries({
      'that is no text': 1,
      'that is empty': '',
      'that is none': 'docs',
      'over plain http': 'http://docs.example',
      'that is a script': 'javascript:alert(1)',
      'with a user name': 'https://ada@docs.example',
      'with a space': 'https://docs.example/a b',
      'that is too long': text(2049, 'https://docs.example/'),
    }).map(([what, docs_connect]) => [
      `a guide ${what}`,
      [{ overrides: { [KEY]: { docs_connect } } }, ['overrides', KEY, 'docs_connect']],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({
      'that is no text': 1,
      'that is null': null,
      'that is none': 'hooks',
      'of another scheme': 'ftp://hooks.example',
      'with a user name that has a colon': 'https://ada%3Ab:x@hooks.example',
      'that is too long': text(2049, 'https://hooks.example/'),
      'that is too long in ASCII': `https://hooks.example/${'語'.repeat(1_000)}`,
      'that is private': 'https://10.0.0.1/a',
      'of the cloud’s metadata': 'http://169.254.169.254/latest',
    }).map(([what, webhook_url_override]) => [`a webhook address ${what}`, [{ webhook_url_override }, ['webhook_url_override']]]),
  ),
};

/** Fields that are refused when the session is for a new connection, each with the path that the error must name. */
const OF_CREATION: typeof REFUSED = {
  'allowed integrations that are no list': [{ allowed_integrations: KEY }, ['allowed_integrations']],
  'an allowed integration that can be none': [{ allowed_integrations: ['a/b'] }, ['allowed_integrations', '0']],
  'an allowed integration that is no text': [{ allowed_integrations: [KEY, 1] }, ['allowed_integrations', '1']],
  'a list of no allowed integrations': [{ allowed_integrations: [] }, ['allowed_integrations']],
  'more than a thousand allowed integrations': [{ allowed_integrations: Array(1001).fill(KEY) }, ['allowed_integrations']],
  'a connection to authorize again': [{ connection_id: 'a', integration_id: KEY }, ['connection_id']],
};

const OF_RECONNECTING: typeof REFUSED = {
  'no connection': [{ connection_id: undefined }, ['connection_id']],
  'an empty connection ID': [{ connection_id: '' }, ['connection_id']],
  'too long a connection ID': [{ connection_id: text(256) }, ['connection_id']],
  'a connection ID that is no text': [{ connection_id: 1 }, ['connection_id']],
  'no integration': [{ integration_id: undefined }, ['integration_id']],
  'an integration that can be none': [{ integration_id: 'a/b' }, ['integration_id']],
  'an integration that is no text': [{ integration_id: [KEY] }, ['integration_id']],
  'allowed integrations': [{ allowed_integrations: [KEY] }, ['allowed_integrations']],
};

describe('the content of the body of a connect session', function () {
  const app = use(this, startTenant);
  let connectionId: string;

  before(async () => {
    await storeIntegration(app.api, KEY);
    ({ connectionId } = await storeConnection(app, { key: KEY }));
  });

  const create = (body: object) => app.api.post('/connect/sessions', body);
  const again = (body: object) =>
    app.api.post('/connect/sessions/reconnect', { connection_id: connectionId, integration_id: KEY, ...body });

  for (const [what, body] of Object.entries(ACCEPTED)) {
    it(`may be ${what}`, async () => {
      for (const response of [await create(body), await again(body)]) expect(response.status, response.text).to.equal(201);
    });
  }

  for (const [what, [body, path]] of Object.entries(REFUSED)) {
    it(`may not be ${what}`, async () => {
      for (const response of [await create(body), await again(body)]) expectError(response, 'invalid_body', path);
    });
  }

  for (const [what, [body, path]] of Object.entries(OF_CREATION)) {
    it(`may not be ${what}, for a new connection`, async () => {
      expectError(await create(body), 'invalid_body', path);
    });
  }

  for (const [what, [body, path]] of Object.entries(OF_RECONNECTING)) {
    it(`may not be ${what}, for one that is authorized again`, async () => {
      expectError(await again(body), 'invalid_body', path);
    });
  }

  it('may be a thousand allowed integrations, with repetitions', async () => {
    const { body } = await create({ allowed_integrations: Array(1000).fill(KEY) });
    const session = await app.client(body.data.token).get('/connect/session');
    expect(session.body.data.allowed_integrations).to.deep.equal([KEY]);
  });

  it('may not be two webhook addresses among the configurations', async () => {
    await storeIntegration(app.api, 'two');
    const at = (webhook_url: string) => ({ connection_config: { webhook_url } });
    const presets = { [KEY]: at('https://hooks.example/a'), two: at('https://hooks.example/b') };
    const path = [PRESETS, 'two', 'connection_config', 'webhook_url'];
    expectError(await create({ [PRESETS]: presets }), 'invalid_body', path);
    const same = { [KEY]: at('https://hooks.example/a'), two: at('https://hooks.example/a') };
    expect((await create({ [PRESETS]: same })).status).to.equal(201);
  });

  it('may not be more than 2 MiB', async () => {
    expectError(
      await create({ [PRESETS]: members(40, () => ({ connection_config: { a: text(60_000) } })) }),
      'payload_too_large',
    );
  });

  for (const member of [PRESETS, 'overrides']) {
    it(`may not be ${member} of an integration that does not exist`, async () => {
      const body = { [member]: { nobody: {} } };
      for (const response of [await create(body), await again(body)]) expectError(response, 'unknown_provider_config');
    });
  }

  it('may not be a key that changes the prototype of an object', async () => {
    const text = `{"${PRESETS}":{"${KEY}":{"connection_config":{"a":{"__proto__":{"b":1}}}}}}`;
    const response = await app.api.post('/connect/sessions', text, { headers: { 'content-type': 'application/json' } });
    expect(response.status, response.text).to.equal(400);
  });
});
