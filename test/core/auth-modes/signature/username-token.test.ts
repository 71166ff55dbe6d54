import { expect } from 'chai';
import { passwordDigest, usernameToken } from '../../../../core/auth-modes/signature/username-token.ts';

const AT = new Date('2003-12-15T14:43:07.512Z');
const PASSWORD = 'taadtaadpstcsm';
const TOKEN = /^UsernameToken Username="(.*)", PasswordDigest="([^"]*)", Nonce="([0-9a-f]{32})", Created="([^"]*)"$/;

function membersOf(header: string) {
  const [, username = '', digest = '', nonce = '', created = ''] = TOKEN.exec(header) ?? expect.fail(header);
  return { username, digest, nonce, created };
}

describe('a UsernameToken of WSSE', () => {
  it('has the digest of the published example', () => {
    const text = `d36e316282959a9ed4c89851497a717f2003-12-15T14:43:07Z${PASSWORD}`;
    expect(passwordDigest(text, undefined)).to.equal('quR/EWLAV4xLf9Zqyw4pDmfV9OY=');
    // The hex form is the base64 of the digest's hexadecimal digits instead of its bytes.
    const digits = Buffer.from(passwordDigest(text, 'hex'), 'base64').toString();
    expect(Buffer.from(digits, 'hex').toString('base64')).to.equal('quR/EWLAV4xLf9Zqyw4pDmfV9OY=');
  });

  for (const form of ['binary', 'hex'] as const) {
    it(`proves the password by nonce and time, in the form ${form}`, () => {
      const { digest, nonce, created } = membersOf(usernameToken({ username: 'bob', password: PASSWORD }, form, AT));
      expect(created).to.equal('2003-12-15T14:43:07Z');
      expect(digest).to.equal(passwordDigest(nonce + created + PASSWORD, form));
    });
  }

  it('has another nonce each time', () => {
    const nonces = Array.from({ length: 100 }, () => membersOf(usernameToken({ username: 'a', password: 'b' }, 'hex', AT)).nonce);
    expect(new Set(nonces).size).to.equal(100);
  });

  it('does not contain the password', () => {
    expect(usernameToken({ username: 'bob', password: PASSWORD }, 'binary', AT)).to.not.include(PASSWORD);
  });

  it('escapes quotes and backslashes of a user name', () => {
    const { username } = membersOf(usernameToken({ username: 'a", Nonce="0\\', password: 'b' }, 'binary', AT));
    expect(username).to.equal('a\\", Nonce=\\"0\\\\');
  });
});
