import { expect } from 'chai';
import { tokenSet } from '../../../core/auth-modes/token-set.ts';
import { EXPIRES_AT, type ModeName, RESPONSE, STORED } from './stored-examples.ts';

/** The access token that a plugin gets in each mode; empty in a mode without a single token. */
const TOKENS: Readonly<Record<ModeName, string>> = {
  OAUTH1: '',
  OAUTH2: 'access-1',
  OAUTH2_CC: 'access-2',
  BASIC: '',
  API_KEY: 'key-1',
  NONE: '',
  TBA: '',
  APP: 'access-3',
  APP_STORE: 'access-4',
  JWT: 'token-2',
  CUSTOM: '',
  BILL: 'session',
  TWO_STEP: 'token-3',
  SIGNATURE: 'token-4',
  AWS_SIGV4: '',
  MCP_OAUTH2: 'access-5',
};

const REFRESH_TOKENS: Readonly<Partial<Record<ModeName, string>>> = { OAUTH2: 'refresh-1', MCP_OAUTH2: 'refresh-5' };

describe('credentials as a plugin sees them', () => {
  for (const stored of Object.values(STORED)) {
    it(`are a token set for ${stored.type}`, () => {
      const { accessToken, refreshToken, expiresAt, raw } = tokenSet(stored);
      expect(accessToken).to.equal(TOKENS[stored.type]);
      expect(refreshToken).to.equal(REFRESH_TOKENS[stored.type]);
      expect(expiresAt?.toISOString()).to.equal('expiresAt' in stored ? EXPIRES_AT : undefined);
      if ('raw' in stored) expect(raw).to.deep.equal(RESPONSE);
      expect(raw).to.not.have.property('type');
    });
  }

  it('contain the credentials themselves if there was no response of a provider', () => {
    expect(tokenSet(STORED.BASIC).raw).to.deep.equal({ username: 'ada', password: 'pass:word' });
    expect(tokenSet(STORED.TBA).raw).to.deep.include({ token_id: 'token-id', token_secret: 'token-secret' });
    expect(tokenSet(STORED.NONE).raw).to.deep.equal({});
  });
});
