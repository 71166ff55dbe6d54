import { expect } from 'chai';
import type { JsonObject } from '#contract';
import type { StoredCredentials } from '../../../core/auth-modes/building-blocks/stored-credentials.ts';
import { AUTH_MODES, modeOf } from '../../../core/auth-modes/index.ts';
import { EXPIRES_AT, type ModeName, RESPONSE, SCRUBBED, STORED } from './stored-examples.ts';

interface Row {
  readonly required: JsonObject;
  readonly optional?: JsonObject;
  /** The refresh token, which the API shows only on request. */
  readonly refreshToken?: string;
  /** The names of the stored fields from which `optional` is shown; without these fields, the API shows only `required`. */
  readonly stored?: readonly string[];
}

const expires_at = EXPIRES_AT;
const ownApp = { client_id: 'own-id', client_secret: 'own-secret' };

/** The credentials of a connection in each mode, as the API describes them. */
const ROWS: Readonly<Record<ModeName, Row>> = {
  OAUTH1: { required: { type: 'OAUTH1', oauth_token: 'token-1', oauth_token_secret: 'token-secret', raw: SCRUBBED } },
  OAUTH2: {
    required: { type: 'OAUTH2', access_token: 'access-1', raw: SCRUBBED },
    optional: { expires_at, config_override: ownApp },
    stored: ['refreshToken', 'expiresAt', 'configOverride'],
    refreshToken: 'refresh-1',
  },
  OAUTH2_CC: {
    required: { type: 'OAUTH2_CC', token: 'access-2', client_id: 'id', client_secret: 'secret', raw: SCRUBBED },
    optional: { expires_at },
    stored: ['expiresAt'],
  },
  BASIC: { required: { type: 'BASIC', username: 'ada', password: 'pass:word' } },
  API_KEY: { required: { type: 'API_KEY', apiKey: 'key-1' } },
  NONE: { required: {} },
  TBA: { required: { type: 'TBA', token_id: 'token-id', token_secret: 'token-secret', config_override: ownApp } },
  APP: { required: { type: 'APP', access_token: 'access-3', raw: SCRUBBED }, optional: { expires_at }, stored: ['expiresAt'] },
  APP_STORE: {
    required: { access_token: 'access-4', private_key: 'pem', raw: SCRUBBED },
    optional: { type: 'APP_STORE', expires_at },
    stored: ['expiresAt'],
  },
  JWT: {
    required: { type: 'JWT', privateKey: { id: 'key-id', secret: 'key-secret' } },
    optional: { expires_at, issuerId: 'issuer', privateKeyId: 'private-key-id', token: 'token-2' },
    stored: ['expiresAt', 'issuerId', 'privateKeyId', 'token'],
  },
  CUSTOM: { required: { type: 'CUSTOM', raw: SCRUBBED } },
  BILL: {
    required: {
      type: 'BILL',
      dev_key: 'dev-key',
      organization_id: 'org',
      username: 'ada',
      password: 'password',
      raw: SCRUBBED,
    },
    optional: { expires_at, session_id: 'session', user_id: 'user' },
    stored: ['expiresAt', 'sessionId', 'userId'],
  },
  TWO_STEP: {
    required: { type: 'TWO_STEP', raw: SCRUBBED },
    optional: { expires_at, token: 'token-3' },
    stored: ['expiresAt', 'token'],
  },
  SIGNATURE: {
    required: { type: 'SIGNATURE', username: 'ada', password: 'password' },
    optional: { expires_at, token: 'token-4' },
    stored: ['expiresAt', 'token'],
  },
  AWS_SIGV4: {
    required: {
      type: 'CUSTOM',
      raw: {
        role_arn: 'arn:aws:iam::123456789012:role/example',
        access_key_id: 'key-2',
        secret_access_key: 'secret-key',
        session_token: 'session-token',
        expires_at,
      },
    },
  },
  MCP_OAUTH2: {
    required: { type: 'OAUTH2', access_token: 'access-5', raw: SCRUBBED },
    optional: { expires_at },
    stored: ['refreshToken', 'expiresAt'],
    refreshToken: 'refresh-5',
  },
};

function shown(stored: StoredCredentials & Readonly<Record<string, unknown>>, withRefreshToken = false): JsonObject {
  return modeOf(stored).present(stored, { withRefreshToken });
}

function without(stored: StoredCredentials, names: readonly string[]): typeof STORED.NONE {
  const kept = Object.fromEntries(Object.entries(stored).filter(([name]) => !names.includes(name)));
  return { ...STORED.NONE, ...kept };
}

describe('credentials as a connection shows them', () => {
  it('are listed here for every mode', () => expect(AUTH_MODES.map(({ name }) => name)).to.have.members(Object.keys(ROWS)));

  for (const [type, row] of Object.entries(ROWS)) {
    const stored = STORED[type as ModeName];

    it(`have exactly the members of ${type}`, () => {
      expect(shown(stored)).to.deep.equal({ ...row.required, ...row.optional });
    });

    it(`have all required members of ${type} without the optional ones`, () => {
      const left = shown(without(stored, row.stored ?? []));
      expect(left).to.deep.include(row.required);
      const optional = Object.keys(row.optional ?? {}).filter((name) => name !== 'type');
      if (optional.length > 0) expect(left).to.not.have.any.keys(...optional);
    });

    it(`have refresh tokens of ${type} only on request`, () => {
      const hidden = JSON.stringify(shown(stored));
      expect(hidden).to.not.match(/refresh/i);
      if ('raw' in stored) expect(shown(stored, true)['raw']).to.deep.equal(RESPONSE);
      expect(shown(stored, true)['refresh_token']).to.equal(row.refreshToken);
    });

    it(`belong to the mode ${type}`, () => {
      expect(modeOf(stored)).to.have.property('name', type);
    });
  }

  it('show a private key that was stored as one text as a text', () => {
    expect(shown({ ...STORED.JWT, privateKey: 'pem' })).to.include({ privateKey: 'pem' });
  });
});
