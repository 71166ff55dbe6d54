import { expect } from 'chai';
import plugin from './plugin.ts';

describe('plugin github', () => {
  for (const [error, isRevoked] of Object.entries({ bad_refresh_token: true, invalid_client: false, server_error: false })) {
    it(`takes ${error} ${isRevoked ? 'for the end of the authorization' : 'for a passing fault'}`, () => {
      expect(plugin.auth.isRevoked({ status: 200, error, body: { error } })).to.equal(isRevoked);
    });
  }
});
