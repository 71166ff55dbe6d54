import { expect } from 'chai';
import { modeOf } from '../../../core/auth-modes/index.ts';
import { validityOf } from '../../../core/auth-modes/validity.ts';
import { EXPIRES_AT, type ModeName, RECEIVED_AT, STORED } from './stored-examples.ts';

/**
 * Modes that refresh credentials without the user: with a refresh token, the entered values, the integration's app or key, or a
 * signature.
 */
const RENEWABLE: readonly ModeName[] = [
  'OAUTH2',
  'OAUTH2_CC',
  'APP',
  'BILL',
  'TWO_STEP',
  'SIGNATURE',
  'AWS_SIGV4',
  'JWT',
  'APP_STORE',
  'MCP_OAUTH2',
];
/** Modes whose credentials only a call to the provider's API can prove valid. */
const PROVEN_BY_CALL: readonly ModeName[] = ['API_KEY', 'BASIC', 'TBA', 'SIGNATURE', 'JWT', 'APP_STORE'];

describe('the validity of credentials', () => {
  for (const stored of Object.values(STORED)) {
    it(`is known for ${stored.type}`, () => {
      const expiresAt = 'expiresAt' in stored ? { expiresAt: new Date(EXPIRES_AT) } : {};
      const refreshable = RENEWABLE.includes(stored.type);
      expect(validityOf(stored)).to.deep.equal({ ...expiresAt, receivedAt: new Date(RECEIVED_AT), refreshable });
      expect(modeOf(stored).isProvenByCall === true).to.equal(PROVEN_BY_CALL.includes(stored.type));
    });
  }

  it('cannot be extended without the user if OAuth 2 gave no refresh token', () => {
    const { refreshToken: _, ...stored } = STORED.OAUTH2;
    expect(validityOf(stored).refreshable).to.equal(false);
  });
});
