import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { effectiveDefinition } from '#contract';
import { providerDefinition, providerJsonSchema } from '../../../core/catalogue/provider-definition.ts';
import { describeProviderFields } from '../../../core/cli/provider-fields.ts';

const OAUTH2 = {
  display_name: 'Acme',
  docs: 'https://docs.acme.example',
  auth_mode: 'OAUTH2',
  authorization_url: 'https://acme.example/authorize',
  token_url: 'https://acme.example/token',
};

function faultsOf(changes: Readonly<Record<string, unknown>>): string[] {
  const result = providerDefinition.safeParse({ ...OAUTH2, ...changes });
  return result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

const HOST = { type: 'string', title: 'Host' };

const SECRET = { type: 'string', title: 'Secret', secret: true };
const STEPS = { auth_mode: 'TWO_STEP', token_response: { token: 'token' }, credentials: { user: HOST, pass: SECRET } };
const step = (changes: object) => ({ ...STEPS, additional_steps: [{ token_url: 'https://acme.example/b', ...changes }] });

const consented = (connection_config: object) => ({
  callback: { grant: 'client_credentials' },
  token_url: 'https://acme.example/${connectionConfig.tenant}/token',
  connection_config,
});
const REGION = { connection_config: { region: { ...HOST, enum: ['eu', 'us'] } } };
const ROWS = { eu: { api: 'https://eu.acme.example' }, us: { api: 'https://us.acme.example' } };
const mapped = (changes: object) => ({ ...REGION, maps: { region: { ...ROWS, ...changes } } });

const FAULTS: Readonly<Record<string, [Record<string, unknown>, RegExp]>> = {
  'an unknown member': [{ autorization_params: {} }, /Unrecognized key/],
  'parameters of a token request that is never made': [
    { auth_mode: 'MCP_OAUTH2', mcp_server_url: 'https://a.example', token_params: { a: 'b' } },
    /token_params has no effect in MCP_OAUTH2/,
  ],
  'a revocation in a mode that revokes nothing': [
    { auth_mode: 'API_KEY', revocation_url: 'https://a.example' },
    /revocation_url has no effect in API_KEY/,
  ],
  'an unknown member of the proxy': [{ proxy: { base_url: 'https://a.example', base: '' } }, /proxy: Unrecognized key/],
  'OAUTH2 without a token URL': [{ token_url: undefined }, /token_url is required for OAUTH2 without issuer/],
  'an issuer on a host of any value': [
    { issuer: 'https://${connectionConfig.host}', connection_config: { host: HOST } },
    /issuer: .*decides the host/,
  ],
  'a plain http: URL': [{ token_url: 'http://acme.example/token' }, /token_url: must begin with https/],
  'a URL with a user name': [{ token_url: 'https://acme.example@evil.example/' }, /token_url/],
  'a URL with a fragment': [{ authorization_url: 'https://acme.example/#a' }, /authorization_url/],
  'an http: page of documentation': [{ docs: 'http://docs.acme.example' }, /docs/],
  'a host from a field that is not declared': [{ token_url: 'https://${connectionConfig.host}/t' }, /decides the host/],
  'a host from what lies below a field': [
    {
      token_url: '${connectionConfig.account.url}/t',
      connection_config: { account: { ...HOST, pattern: '[a-z]+' } },
    },
    /decides the host/,
  ],
  'a token URL on the page of an app': [{ token_url: '${integration.appLink}/token' }, /decides the host/],
  'the users of an app at a host of any value': [
    {
      installation: {
        user_token_url: 'https://${connectionConfig.host}/t',
        user_installations: { url: 'https://a.example', list: 'a', id: 'id' },
      },
    },
    /installation.user_token_url: .*decides the host/,
  ],
  'a host from a field that takes any value': [
    { token_url: 'https://${connectionConfig.host}/t', connection_config: { host: HOST } },
    /decides the host/,
  ],
  'tokens of an owner whom the user names': [consented({ tenant: HOST }), /"tenant" decides whose tokens are issued/],
  'tokens of an owner whom no field names': [consented({}), /"tenant" decides whose tokens are issued/],
  'tokens of an owner whom the user names by the issuer': [
    {
      ...consented({ tenant: { ...HOST, pattern: '[a-z]+' } }),
      token_url: undefined,
      token_params: undefined,
      issuer: 'https://a.example/${connectionConfig.tenant}',
    },
    /"tenant" decides whose tokens are issued/,
  ],
  'tokens of an owner whom the user names in a header': [
    {
      ...consented({ tenant: HOST }),
      token_url: 'https://a.example/t',
      token_params: undefined,
      token_headers: { 'x-tenant': '${connectionConfig.tenant}' },
    },
    /"tenant" decides whose tokens are issued/,
  ],
  'tokens of an owner whom the callback names': [
    { ...consented({ tenant: { ...HOST, hidden: true } }), redirect_uri_metadata: ['tenant'] },
    /"tenant" decides whose tokens are issued/,
  ],
  'a map of no field': [{ maps: { region: ROWS } }, /maps.region: must have the name of a field/],
  'a map of a field without an enum': [
    { connection_config: { region: HOST }, maps: { region: ROWS } },
    /maps.region: must have the name of a field .* enum/,
  ],
  'a map without a row for a value': [
    { ...REGION, maps: { region: { eu: ROWS.eu } } },
    /maps.region: must have a row for each value/,
  ],
  'a map with a row for no value': [mapped({ asia: ROWS.eu }), /maps.region: must have a row for each value/],
  'rows of different values': [mapped({ us: { site: 'a' } }), /maps.region: must have values of the same names in every row/],
  'a placeholder in a map': [
    mapped({ us: { api: 'https://${connectionConfig.region}.evil.example' } }),
    /must not contain a placeholder/,
  ],
  'an http: URL in a map': [mapped({ us: { api: 'http://us.acme.example' } }), /must not be an http: URL/],
  'a value that is in no map': [{ ...mapped({}), token_url: '${maps.region.site}/token' }, /"\$\{maps.region.site\}" is not a/],
  'a host that is in no map': [{ token_url: '${maps.region.api}/token' }, /"\$\{maps.region.api\}" is not a value of a map/],
  'a map as a value': [{ ...mapped({}), token_headers: { site: '${maps.region}' } }, /is not a value of a map/],
  'a host from a credential': [
    { proxy: { base_url: 'https://${accessToken}.acme.example' } },
    /proxy.base_url: "accessToken" decides/,
  ],
  'the client secret in a call of the API': [
    { proxy: { base_url: 'https://a.example', headers: { 'x-key': '${clientId}:${clientSecret}' } } },
    /proxy: .*token requests only/,
  ],
  'the client secret in the browser': [{ authorization_params: { key: '${clientSecret}' } }, /authorization_params: /],
  'a flow without state': [{ omit_params: { authorization: ['state'] } }, /omit_params.authorization/],
  'a placeholder whose host is continued by text': [
    { proxy: { base_url: '${integrationConfig.url}.evil.example' } },
    /proxy.base_url/,
  ],
  'a line break in a header': [{ token_headers: { accept: 'a\r\nb: c' } }, /token_headers.accept/],
  'a header with a bad name': [{ token_headers: { 'a b': 'c' } }, /token_headers/],
  'a sign-in without fields': [{ ...STEPS, credentials: undefined }, /credentials is required/],
  'a sign-in without a place for the token': [{ ...STEPS, token_response: undefined }, /token_response is required/],
  'a place that names no token': [
    { ...STEPS, token_response: { error: ['e'] } },
    /token_response: must name the token or its cookies/,
  ],
  'a host from a response without a pattern': [
    step({ token_url: '${steps.0.url}/b' }),
    /additional_steps.0.token_url: .*only a step with a host_pattern/,
  ],
  'a host from a response in the first call': [{ ...STEPS, token_url: '${steps.0.url}/a' }, /token_url: .*host_pattern/],
  'a pattern of hosts that may run for ever': [
    step({ token_url: '${steps.0.url}/b', host_pattern: '(a+)+' }),
    /host_pattern: must not repeat/,
  ],
  'a value of the same step': [
    step({ token_params: { a: '${steps.1.x}' } }),
    /"\$\{steps.1…}" is not the response of an earlier/,
  ],
  'a value of no step': [step({ token_headers: { a: '${steps.x}' } }), /is not the response of an earlier step/],
  'a secret in the path': [{ ...STEPS, token_url: 'https://acme.example/${credentials.pass}' }, /"credentials.pass" is secret/],
  'a secret in the query of a step': [
    step({ token_url: 'https://acme.example/?a=${credentials.pass}' }),
    /additional_steps.0: "credentials.pass" is secret/,
  ],
  'a secret among the parameters of a GET': [
    { ...STEPS, token_request_method: 'GET', token_params: { a: { b: ['${credentials.pass}'] } } },
    /token_url: "credentials.pass" is secret/,
  ],
  'more steps than five': [
    { ...STEPS, additional_steps: Array(5).fill({ token_url: 'https://acme.example/b' }) },
    /additional_steps/,
  ],
  'a pattern that may run for ever': [{ connection_config: { x: { ...HOST, pattern: '(a+)+' } } }, /must not repeat/],
};

const TOKEN = { signing_key: '${credentials.privateKey}', expires_in_ms: 1, header: { alg: 'ES256' }, payload: {} };
const JWT = { auth_mode: 'JWT', authorization_url: undefined, token_url: undefined, token: TOKEN, credentials: {} };

const FAULTS_OF_TOKENS: Readonly<Record<string, [Record<string, unknown>, RegExp]>> = {
  'JWT without a token': [{ token: undefined }, /JWT needs either token or assertion/],
  'JWT with both kinds of token': [{ assertion: TOKEN, token_url: 'https://a.example' }, /JWT needs either token or assertion/],
  'an assertion without a token URL': [{ token: undefined, assertion: TOKEN }, /token_url is required/],
  'APP_STORE without a token': [{ auth_mode: 'APP_STORE', token: undefined }, /token is required for APP_STORE/],
  'no algorithm': [{ token: { ...TOKEN, header: {} } }, /token.header.alg/],
  'the algorithm none': [{ token: { ...TOKEN, header: { alg: 'none' } } }, /token.header.alg/],
  'an algorithm of a user’s choice': [{ token: { ...TOKEN, header: { alg: '${credentials.alg}' } } }, /token.header.alg/],
  'a private key that is plain text': [
    { token: { ...TOKEN, signing_key_encoding: 'utf8' } },
    /a key of ES256 cannot be encoded as utf8/,
  ],
  'a secret that is a PEM': [
    { token: { ...TOKEN, header: { alg: 'HS256' }, signing_key_encoding: 'pem' } },
    /a key of HS256 cannot be encoded as pem/,
  ],
  'an unknown encoding': [{ token: { ...TOKEN, signing_key_encoding: 'der' } }, /token.signing_key_encoding/],
  'a time of its own': [{ token: { ...TOKEN, payload: { exp: 1 } } }, /token.payload.exp: exp must not be declared/],
  'no lifetime': [{ token: { ...TOKEN, expires_in_ms: 0 } }, /token.expires_in_ms/],
};

describe('provider definition', () => {
  it('accepts the members that OAuth 2.0 needs', () => expect(faultsOf({})).to.deep.equal([]));

  it('accepts a host from a field that restricts its values', () => {
    const changes = {
      token_url: 'https://${connectionConfig.host}/t',
      connection_config: { host: { ...HOST, format: 'hostname' } },
    };
    expect(faultsOf(changes)).to.deep.equal([]);
  });

  it('accepts an issuer in place of URLs', () => {
    const issuer = 'https://acme.example';
    expect(faultsOf({ authorization_url: undefined, token_url: undefined, issuer })).to.deep.equal([]);
  });

  it('accepts a host from a map that has one for each value of a field', () => {
    const token_headers = { 'x-site': '${maps.region.api}' };
    expect(faultsOf({ ...mapped({}), token_url: '${maps.region.api}/token', token_headers })).to.deep.equal([]);
  });

  it('accepts steps that use values of earlier steps, and other texts in a URL', () => {
    const token_params = { user: '${credentials.user}', pass: '${credentials.pass}', realm: '${steps.0.realms.0}' };
    const second = { token_url: '${steps.0.url}/${credentials.user}', host_pattern: '[a-z]+\\.acme\\.example', token_params };
    const third = {
      token_url: 'https://acme.example/c',
      token_request_method: 'GET',
      token_params: { ticket: '${steps.1.ticket}' },
    };
    expect(faultsOf({ ...STEPS, token_request_method: 'GET', additional_steps: [second, third] })).to.deep.equal([]);
  });

  for (const [fault, [changes, reason]] of Object.entries(FAULTS)) {
    it(`refuses ${fault}`, () => expect(faultsOf(changes).join('\n')).to.match(reason));
  }

  it('accepts tokens that are signed, and for JWT also assertions that are exchanged', () => {
    expect(faultsOf(JWT)).to.deep.equal([]);
    expect(faultsOf({ ...JWT, auth_mode: 'APP_STORE' })).to.deep.equal([]);
    expect(faultsOf({ ...JWT, token: undefined, assertion: TOKEN, token_url: 'https://a.example' })).to.deep.equal([]);
  });

  for (const [fault, [changes, reason]] of Object.entries(FAULTS_OF_TOKENS)) {
    it(`refuses ${fault}`, () => expect(faultsOf({ ...JWT, ...changes }).join('\n')).to.match(reason));
  }

  it('has its JSON Schema beside it (npm run schema)', async () => {
    const file = new URL('../../../core/contract/provider.schema.json', import.meta.url);
    expect(JSON.parse(await readFile(file, 'utf8'))).to.deep.equal(JSON.parse(JSON.stringify(providerJsonSchema())));
  });

  it('has its members listed in docs/provider-definitions.md (npm run schema)', async () => {
    const guide = await readFile(new URL('../../../docs/provider-definitions.md', import.meta.url), 'utf8');
    expect(guide).to.contain(describeProviderFields());
  });
});

describe('effective definition', () => {
  const field = { type: 'string', title: 'Setting', optional: true };
  const names = ['refresh_url', 'body_format', 'scope_separator', 'disable_pkce', 'issuer', 'allowed_hosts'];
  const integration_config = Object.fromEntries(names.map((name) => [name, field]));
  const proxy = { base_url: 'https://acme.example', allowed_hosts: ['files.acme.example'] };
  const definition = providerDefinition.parse({ ...OAUTH2, integration_config, proxy });

  it('adopts the settings that the definition declares', () => {
    const effective = effectiveDefinition(definition, {
      body_format: 'json',
      scope_separator: ',',
      disable_pkce: 'true',
      issuer: 'https://acme.example',
      allowed_hosts: 'EU.acme.example, us.acme.example:8443',
    });
    expect(effective).to.include({
      body_format: 'json',
      scope_separator: ',',
      disable_pkce: true,
      issuer: '${integrationConfig.issuer}',
    });
    expect(effective.proxy?.allowed_hosts).to.deep.equal(['files.acme.example', 'eu.acme.example', 'us.acme.example:8443']);
  });

  it('never reads a setting as a template', () => {
    const effective = effectiveDefinition(definition, { refresh_url: 'https://acme.example/${connectionConfig.secret}' });
    expect(effective.refresh_url).to.equal('${integrationConfig.refresh_url}');
  });

  it('adopts the settings that every provider has', () => {
    const plain = providerDefinition.parse({ ...OAUTH2, proxy });
    const effective = effectiveDefinition(plain, { issuer: 'https://acme.example', allowed_hosts: 'eu.acme.example' });
    expect(effective.issuer).to.equal('${integrationConfig.issuer}');
    expect(effective.proxy?.allowed_hosts).to.deep.equal(['files.acme.example', 'eu.acme.example']);
  });

  it('ignores settings that the definition does not declare', () => {
    const plain = providerDefinition.parse(OAUTH2);
    expect(effectiveDefinition(plain, { disable_pkce: 'true', refresh_url: 'https://evil.example' })).to.deep.equal(plain);
  });
});
