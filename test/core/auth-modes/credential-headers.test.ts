import { expect } from 'chai';
import type { ProviderDefinition } from '#contract';
import type { StoredCredentials } from '../../../core/auth-modes/building-blocks/stored-credentials.ts';
import { credentialHeaders } from '../../../core/auth-modes/credential-headers.ts';
import { modeOf } from '../../../core/auth-modes/index.ts';
import { ServiceError } from '../../../core/errors.ts';
import { modeInput } from './building-blocks/token-endpoint/mode-input.ts';
import { type ModeName, STORED } from './stored-examples.ts';

type Proxy = NonNullable<ProviderDefinition['proxy']>;

const REQUEST = { method: 'GET', origin: 'https://api.example.com', path: '/me?a=1', at: new Date(1_700_000_000_000) };

type Stored = StoredCredentials & Readonly<Record<string, unknown>>;

function headersOf(stored: Stored, proxy: Partial<Proxy> = {}, definition: Partial<ProviderDefinition> = {}) {
  const input = modeInput(
    {
      aws_sigv4: { service: 'sqs', region: 'us-east-1' },
      mcp_server_url: 'https://mcp.example.com/mcp',
      ...definition,
      auth_mode: stored.type,
      proxy: { base_url: 'https://api.example.com', ...proxy },
    },
    { connectionConfig: { accountId: '1234567-sb1' } },
  );
  return credentialHeaders({ ...input, credentials: modeOf(stored).templateValues(stored) }, stored);
}

function sent(stored: Stored, proxy: Partial<Proxy> = {}): Record<string, string> {
  return Object.fromEntries(headersOf(stored, proxy).fixed.map(({ name, value }) => [name, value]));
}

/** The default Authorization header of each mode; undefined if there is none or it is a signature of the request. */
const AUTHORIZATION: Readonly<Record<ModeName, string | undefined>> = {
  OAUTH1: undefined,
  OAUTH2: 'Bearer access-1',
  OAUTH2_CC: 'Bearer access-2',
  BASIC: `Basic ${Buffer.from('ada:pass:word').toString('base64')}`,
  API_KEY: 'Bearer key-1',
  NONE: undefined,
  TBA: undefined,
  APP: 'Bearer access-3',
  APP_STORE: 'Bearer access-4',
  JWT: 'Bearer token-2',
  CUSTOM: undefined,
  BILL: undefined,
  TWO_STEP: 'Bearer token-3',
  SIGNATURE: undefined,
  AWS_SIGV4: undefined,
  MCP_OAUTH2: 'Bearer access-5',
};

/** Modes that sign each request. */
const SIGNING: readonly ModeName[] = ['OAUTH1', 'TBA', 'SIGNATURE', 'AWS_SIGV4'];

/** Header templates that contain credentials, and their values once the credentials are filled in. */
const PLACES: readonly { readonly stored: Stored; readonly template: string; readonly value: string }[] = [
  { stored: STORED.OAUTH2, template: '${accessToken}', value: 'access-1' },
  { stored: STORED.OAUTH2_CC, template: '${accessToken} ${credentials.token}', value: 'access-2 access-2' },
  { stored: STORED.BASIC, template: 'base64(${password}:${username})', value: 'cGFzczp3b3JkOmFkYQ==' },
  { stored: STORED.API_KEY, template: 'Key ${apiKey}', value: 'Key key-1' },
  { stored: STORED.API_KEY, template: '${credentials.apiKey}', value: 'key-1' },
  { stored: STORED.OAUTH1, template: '${credentials.oauth_token}', value: 'token-1' },
  { stored: STORED.APP, template: '${accessToken} of ${credentials.installation_id}', value: 'access-3 of 2' },
  { stored: STORED.BILL, template: '${credentials.dev_key}/${credentials.session_id}', value: 'dev-key/session' },
  { stored: STORED.TWO_STEP, template: '${credentials.username} ${credentials.token}', value: 'ada token-3' },
  { stored: STORED.SIGNATURE, template: '${username} ${credentials.token}', value: 'ada token-4' },
  { stored: STORED.CUSTOM, template: '${credentials.scope}', value: 'read' },
];

describe('the headers that credentials become', () => {
  for (const stored of Object.values(STORED)) {
    it(`follow from the mode ${stored.type} if the definition names none`, () => {
      const authorization = AUTHORIZATION[stored.type];
      expect(sent(stored)).to.deep.equal(authorization === undefined ? {} : { authorization });
      expect(headersOf(stored).signed !== undefined).to.equal(SIGNING.includes(stored.type));
    });
  }

  for (const { stored, template, value } of PLACES) {
    it(`fill the template ${template} of the definition`, () => {
      expect(sent(stored, { headers: { 'X-Key': template } })).to.include({ 'X-Key': value });
      expect(sent(stored, { headers: { Authorization: template } })).to.deep.equal({ Authorization: value });
    });
  }

  it('include no Authorization if the definition places the API key elsewhere', () => {
    expect(sent(STORED.API_KEY, { headers: { 'x-key': '${apiKey}' } })).to.deep.equal({ 'x-key': 'key-1' });
    expect(sent(STORED.API_KEY, { query: { key: '${apiKey}' } })).to.deep.equal({});
    expect(sent(STORED.API_KEY, { base_url: 'https://api.example.com/bot${apiKey}' })).to.deep.equal({});
    expect(sent(STORED.API_KEY, { headers: { 'x-version': '2' } })).to.deep.equal({
      authorization: 'Bearer key-1',
      'x-version': '2',
    });
  });

  it('fail with an error about the credentials if a value does not fit into a header', () => {
    expect(() => sent({ ...STORED.API_KEY, apiKey: 'a\r\nb: c' })).to.throw(ServiceError, 'cannot be sent');
    expect(() => sent({ ...STORED.BASIC, username: 'a\0' }, { headers: { 'x-user': '${username}' } })).to.throw(ServiceError);
  });

  it('sign each request anew, with time, nonce and the definition’s method', () => {
    const { signed } = headersOf(STORED.OAUTH1, {}, { signature_method: 'PLAINTEXT' });
    const [first, second] = [signed?.(REQUEST)[0], signed?.(REQUEST)[0]];
    expect(first?.name).to.equal('authorization');
    expect(first?.value).to.include('oauth_consumer_key="the-client", oauth_token="token-1"');
    expect(first?.value).to.include('oauth_signature_method="PLAINTEXT", oauth_timestamp="1700000000"');
    expect(first?.value).to.include('oauth_signature="the-secret%26token-secret"');
    expect(first?.value).to.not.equal(second?.value);
    expect(headersOf(STORED.OAUTH1).signed?.(REQUEST)[0]?.value).to.include('oauth_signature_method="HMAC-SHA1"');
  });

  it('name the account as realm, and are signed with the connection’s own app if it has one', () => {
    const [header] = headersOf(STORED.TBA).signed?.(REQUEST) ?? [];
    expect(header?.value).to.match(/^OAuth realm="1234567_SB1", oauth_consumer_key="own-id", oauth_token="token-id"/);
    expect(header?.value).to.include('oauth_signature_method="HMAC-SHA256"');
    const [other] = headersOf({ ...STORED.TBA, configOverride: {} }).signed?.(REQUEST) ?? [];
    expect(other?.value).to.include('oauth_consumer_key="the-client"');
  });

  for (const [accountId, realm] of Object.entries({ '1': '1', tstdrv12: 'TSTDRV12', 'a"b\\c-1': 'A\\"B\\\\C_1' })) {
    it(`name the account ${accountId} as realm in a quoted string`, () => {
      const input = modeInput({ auth_mode: 'TBA' }, { connectionConfig: { accountId } });
      const [header] = credentialHeaders(input, STORED.TBA).signed?.(REQUEST) ?? [];
      expect(header?.value).to.include(`OAuth realm="${realm}", `);
    });
  }

  it('contain no signature if the definition sets Authorization itself', () => {
    const { fixed, signed } = headersOf(STORED.OAUTH1, { headers: { authorization: 'Own ${credentials.oauth_token}' } });
    expect([...fixed, ...(signed?.(REQUEST) ?? [])]).to.deep.equal([{ name: 'authorization', value: 'Own token-1' }]);
  });

  it('cannot be signed without an app or without an account', () => {
    const input = modeInput({}, { client: { clientId: '', clientSecret: '', scopes: [] } });
    expect(() => credentialHeaders(input, STORED.OAUTH1))
      .to.throw(ServiceError)
      .with.property('code', 'missing_client_id');
    expect(() => credentialHeaders(input, STORED.TBA))
      .to.throw(ServiceError)
      .with.property('code', 'invalid_credentials');
  });
});
