import { expect } from 'chai';
import { SecretHider } from '../../../../core/catalogue/plugins/hide-secrets.ts';

/** Token sets as the modes create them, each with another kind of secret. */
const TOKENS = {
  'an access token': { accessToken: 'the-secret-itself', raw: {} },
  'a refresh token': { accessToken: 'another', refreshToken: 'the-secret-itself', raw: {} },
  'an ID token': { accessToken: 'another', raw: { id_token: 'the-secret-itself' } },
  'a password': { accessToken: '', raw: { username: 'ada', password: 'the-secret-itself' } },
  'a token secret': { accessToken: '', raw: { token_id: 'a', token_secret: 'the-secret-itself' } },
  'the secret of an own app': { accessToken: '', raw: { config_override: { client_secret: 'the-secret-itself' } } },
  'a private key': { accessToken: '', raw: { privateKey: { id: 'a', secret: 'the-secret-itself' } } },
  'a developer key': { accessToken: '', raw: { dev_key: 'the-secret-itself' } },
};

describe('the text of a plugin in logs and errors', () => {
  for (const [what, tokens] of Object.entries(TOKENS)) {
    it(`never contains ${what}`, () => {
      const hider = new SecretHider(tokens);
      expect(hider.text('it said: the-secret-itself!')).to.equal('it said: [redacted]!');
      expect(hider.facts({ answer: 'the-secret-itself' })).to.deep.equal({ answer: '[redacted]' });
      const error = hider.error(new Error('a', { cause: new Error('the-secret-itself') }));
      expect(String(error?.cause)).to.equal('Error: [redacted]');
    });
  }

  it('keeps values that are not secret', () => {
    const hider = new SecretHider({ accessToken: '', raw: { username: 'ada-lovelace', scope: 'read-everything' } });
    expect(hider.text('ada-lovelace may read-everything')).to.equal('ada-lovelace may read-everything');
  });
});
