import { createHash, createHmac } from 'node:crypto';
import { expect } from 'chai';
import type { SignableRequest } from '#contract';
import { canonicalRequest, sign } from './signature.ts';

const DATE = 'Tue, 21 Aug 2012 17:29:18 -0000';
const SECRET = 'Zh5eGmUq9zpfQnyUIu5OL9iWoMMv5ZNmk3zLJ4Ep';
const CREDENTIALS = {
  tokens: { accessToken: '', raw: { username: 'DIWJ8X6AEYOR5OMC6TQ1', password: SECRET } },
  connectionConfig: {},
  integrationConfig: {},
};
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

function request(changes: Partial<SignableRequest> = {}, target = '/accounts/v1/account/list'): SignableRequest {
  const url = new URL(target, 'https://api-xxxxxxxx.duosecurity.com');
  return { method: 'POST', url, headers: {}, at: new Date('2012-08-21T17:29:18Z'), ...changes };
}

const sha512 = (text: string) => createHash('sha512').update(text).digest('hex');

describe('plugin duo-admin', () => {
  it('canonicalizes a form as in the documented example, whose digest is SHA-1', () => {
    const form = request({ headers: FORM, body: Buffer.from('username=root&realname=First+Last') });
    const canonical = canonicalRequest(form, DATE);
    expect(canonical.split('\n').at(-1)).to.equal('realname=First%20Last&username=root');
    expect(createHmac('sha1', SECRET).update(canonical).digest('hex')).to.equal('2d97d6166319781b5a3a07af39d366f491234edc');
  });

  it('signs the query, a body that is no form, and the X-Duo headers', () => {
    const headers = { 'content-type': 'application/json', 'x-duo-b': '2', 'x-duo-a': '1', accept: '*/*' };
    const json = request({ headers, body: Buffer.from('{"a":1}') }, '/admin/v1/users?b=2&a=%2b+~&a=%21');
    expect(canonicalRequest(json, DATE).split('\n').slice(3)).to.deep.equal([
      '/admin/v1/users',
      'a=%21&a=%2B%20~&b=2',
      sha512('{"a":1}'),
      sha512('x-duo-a\x001\0x-duo-b\x002'),
    ]);
    expect(
      canonicalRequest(request({ method: 'GET' }, '/'), DATE)
        .split('\n')
        .slice(4),
    ).to.deep.equal(['', sha512(''), sha512('')]);
  });

  it('sends the integration key, the digest, and the date that the digest covers', () => {
    const { headers } = sign(request(), CREDENTIALS);
    const [, pair = ''] = headers?.['authorization']?.split(' ') ?? [];
    const [key, digest] = Buffer.from(pair, 'base64').toString().split(':');
    expect([headers?.['date'], key]).to.deep.equal([DATE, 'DIWJ8X6AEYOR5OMC6TQ1']);
    expect(digest).to.equal(createHmac('sha512', SECRET).update(canonicalRequest(request(), DATE)).digest('hex'));
  });
});
