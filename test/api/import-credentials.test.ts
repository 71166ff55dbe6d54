import { expect } from 'chai';
import { Imports } from '../support/imports.ts';
import { IMPORTED_MODES, type ImportedMode, importableOf, providerOfMode } from '../support/mode-providers.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

type Members = Readonly<Record<string, unknown>>;

/** The required and optional fields of each type of credentials. */
const VARIANTS: Readonly<Record<ImportedMode, { required: readonly string[]; optional?: readonly string[] }>> = {
  OAUTH1: { required: ['oauth_token', 'oauth_token_secret'] },
  OAUTH2: { required: ['access_token'], optional: ['refresh_token', 'expires_at', 'config_override'] },
  BASIC: { required: ['username', 'password'] },
  API_KEY: { required: ['apiKey'] },
  OAUTH2_CC: { required: ['client_id', 'client_secret', 'token'], optional: ['expires_at'] },
  NONE: { required: [] },
  TBA: { required: ['token_id', 'token_secret', 'config_override'] },
  APP: { required: ['app_id', 'installation_id'] },
};
const NOT_IMPORTED = ['JWT', 'APP_STORE', 'CUSTOM', 'BILL', 'TWO_STEP', 'SIGNATURE', 'oauth2', '', 'UNKNOWN'];

/** The fields of each type that accept texts up to the maximum length of a secret. */
const SECRETS: Readonly<Partial<Record<ImportedMode, readonly string[]>>> = {
  OAUTH1: ['oauth_token', 'oauth_token_secret'],
  OAUTH2: ['access_token', 'refresh_token'],
  BASIC: ['username', 'password'],
  API_KEY: ['apiKey'],
  OAUTH2_CC: ['client_secret', 'token'],
  TBA: ['token_id', 'token_secret'],
};

function without(members: Members, name: string): Members {
  return Object.fromEntries(Object.entries(members).filter(([key]) => key !== name));
}

describe('credentials that are imported', function () {
  const imports = use(this, () => Imports.open());

  beforeEach(() => imports.reset());
  const put = (mode: ImportedMode, credentials: unknown) => imports.put(mode, credentials);

  for (const mode of IMPORTED_MODES) {
    const { required, optional = [] } = VARIANTS[mode];

    describe(`of the type ${mode}`, () => {
      it('are accepted with every member', async () => {
        const { status, body, text } = await put(mode, importableOf(mode));
        expect(status, text).to.equal(200);
        expect(body.provider).to.equal(providerOfMode(mode));
      });

      it('are accepted with the required members only', async () => {
        const needed = Object.entries(importableOf(mode)).filter(([name]) => name === 'type' || required.includes(name));
        const { status, text } = await put(mode, Object.fromEntries(needed));
        expect(status, text).to.equal(200);
      });

      for (const name of ['type', ...required]) {
        it(`need ${name}`, async () => {
          expectError(await put(mode, without(importableOf(mode), name)), 'invalid_body', ['credentials', name]);
        });
      }

      for (const name of [...required, ...optional]) {
        for (const value of [null, 7, true, [], ['x'], { x: 'y' }]) {
          it(`refuse ${JSON.stringify(value)} as ${name}`, async () => {
            const response = await put(mode, { ...importableOf(mode), [name]: value });
            expectError(response, 'invalid_body');
            expect(response.body.error.errors[0].path.slice(0, 2)).to.deep.equal(['credentials', name]);
          });
        }
      }

      for (const name of ['raw', 'scope', 'Type', 'apikey', 'credentials']) {
        it(`refuse a member ${name}`, async () => {
          expectError(await put(mode, { ...importableOf(mode), [name]: 'x' }), 'invalid_body', ['credentials', name]);
        });
      }

      it('refuse the members of another type', async () => {
        const other = mode === 'OAUTH1' ? 'OAUTH2' : 'OAUTH1';
        expectError(await put(mode, { ...importableOf(other), ...importableOf(mode) }), 'invalid_body');
      });

      it('are only accepted for a provider of that type, and the error names both', async () => {
        const other = mode === 'BASIC' ? 'API_KEY' : 'BASIC';
        const response = await imports.into(providerOfMode(other), importableOf(mode));
        expectError(response, 'invalid_body', ['credentials', 'type']);
        expect(response.body.error.message).to.contain(` ${other}`).and.to.contain(` ${mode}`);
      });
    });
  }

  for (const type of [...NOT_IMPORTED, null, 7]) {
    it(`cannot be of the type ${JSON.stringify(type)}`, async () => {
      expectError(await put('OAUTH2', { ...importableOf('OAUTH2'), type }), 'invalid_body', ['credentials', 'type']);
    });
  }

  for (const credentials of [null, 'text', 7, [], [importableOf('OAUTH2')]]) {
    it(`cannot be ${JSON.stringify(credentials)?.slice(0, 10)}`, async () => {
      expectError(await put('OAUTH2', credentials), 'invalid_body');
    });
  }

  const days = [
    '2030-01-31T12:00:00Z',
    '2030-01-31T12:00:00.123Z',
    '2030-01-31T12:00:00+02:00',
    '2001-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ];
  for (const expires_at of days) {
    it(`may expire at ${expires_at}`, async () => {
      const { body } = await put('OAUTH2', { ...importableOf('OAUTH2'), expires_at });
      expect(body.credentials.expires_at).to.equal(new Date(expires_at).toISOString());
    });
  }

  for (const expires_at of [
    'tomorrow',
    '2030-01-31',
    '2030-02-30T12:00:00Z',
    '1893456000',
    'Thu, 31 Jan 2030 12:00:00 GMT',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '',
  ]) {
    it(`cannot expire at ${JSON.stringify(expires_at)}`, async () => {
      const response = await put('OAUTH2_CC', { ...importableOf('OAUTH2_CC'), expires_at });
      expectError(response, 'invalid_body', ['credentials', 'expires_at']);
    });
  }

  for (const mode of ['OAUTH2', 'TBA'] as const) {
    for (const name of ['client_id', 'client_secret']) {
      it(`of the type ${mode} may have an app without ${name}, and none with more`, async () => {
        const ownApp = importableOf(mode)['config_override'] as Members;
        const path = ['credentials', 'config_override'];
        const config_override = without(ownApp, name);
        const partial = await put(mode, { ...importableOf(mode), config_override });
        expect(partial.status, partial.text).to.equal(200);
        expect(partial.body.credentials.config_override).to.deep.equal(config_override);
        const more = await put(mode, { ...importableOf(mode), config_override: { ...ownApp, scopes: 'x' } });
        expectError(more, 'invalid_body', [...path, 'scopes']);
      });
    }

    it(`of the type ${mode} may not have an empty app`, async () => {
      const response = await put(mode, { ...importableOf(mode), config_override: {} });
      expectError(response, 'invalid_body', ['credentials', 'config_override']);
      expect(response.text).to.contain('must have client_id, client_secret or both');
    });
  }

  for (const [mode, names] of Object.entries(SECRETS) as [ImportedMode, readonly string[]][]) {
    for (const name of names) {
      it(`of the type ${mode} take a ${name} of up to 16,384 characters`, async () => {
        const { status, body, text } = await put(mode, { ...importableOf(mode), [name]: 'k'.repeat(16_384) });
        expect(status, text.slice(0, 500)).to.equal(200);
        expect(body.provider).to.equal(providerOfMode(mode));
        const longer = await put(mode, { ...importableOf(mode), [name]: 'k'.repeat(16_385) });
        expectError(longer, 'invalid_body', ['credentials', name]);
      });
    }
  }

  describe('are shown as they are stored', () => {
    it('without refresh tokens, and with the imported members as raw', async () => {
      const input = importableOf('OAUTH2');
      const { body } = await put('OAUTH2', input);
      const { type: _type, refresh_token: _token, ...raw } = input;
      const { access_token, expires_at, config_override } = input;
      expect(body.credentials).to.deep.equal({ type: 'OAUTH2', access_token, expires_at, config_override, raw });
    });

    it('with the refresh token for a reader who asks for it', async () => {
      const input = importableOf('OAUTH2');
      const { body } = await put('OAUTH2', input);
      const query = `provider_config_key=${providerOfMode('OAUTH2')}&refresh_token=true`;
      const read = await imports.app.api.get(`/connections/${body.connection_id}?${query}`);
      expect(read.body.credentials.refresh_token).to.equal(input['refresh_token']);
    });

    for (const mode of ['OAUTH1', 'OAUTH2_CC'] as const) {
      it(`with the imported members as raw, of the type ${mode}`, async () => {
        const input = importableOf(mode);
        const { body } = await put(mode, input);
        const { type: _type, ...raw } = input;
        expect(body.credentials).to.deep.equal({ ...input, raw });
      });
    }

    for (const mode of ['BASIC', 'API_KEY', 'TBA'] as const) {
      it(`member by member, of the type ${mode}`, async () => {
        const input = importableOf(mode);
        expect((await put(mode, input)).body.credentials).to.deep.equal(input);
      });
    }

    it('as an empty object when there are none', async () => {
      expect((await put('NONE', importableOf('NONE'))).body.credentials).to.deep.equal({});
    });

    it('with the token that was issued for the app’s key', async () => {
      const { body } = await put('APP', importableOf('APP'));
      expect(body.credentials).to.have.all.keys('type', 'access_token', 'expires_at', 'raw');
      expect(body.credentials.raw).to.deep.equal({ app_id: '4711', installation_id: '42' });
      expect(imports.calls.map(({ method, url }) => `${method} ${url}`)).to.deep.equal(['POST /installations/42/token']);
    });
  });
});
