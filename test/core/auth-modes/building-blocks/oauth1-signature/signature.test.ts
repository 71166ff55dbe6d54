import { generateKeyPairSync, verify } from 'node:crypto';
import { expect } from 'chai';
import {
  type Parameters,
  percentEncode,
  signatureBase,
  signatureFunction,
} from '../../../../../core/auth-modes/building-blocks/oauth1-signature/signature.ts';
import { oauth1Signer } from '../../../../../core/auth-modes/building-blocks/oauth1-signature/signer.ts';
import { ServiceError } from '../../../../../core/errors.ts';
import { oauthSign } from '../../../../support/oauth1-provider/libraries.ts';
import { withSeededRandom } from '../../../../support/seeded-random.ts';
import { size } from '../../../../support/size.ts';

const at = new Date(0);
/** The number of requests that are signed with the same timestamp, so that only their nonces distinguish them. */
const SIGNED_AT_ONCE = size(10_000, 100_000);

function protocol(members: Readonly<Record<string, string>>): Parameters {
  return Object.entries(members).map(([name, value]) => [`oauth_${name}`, value]);
}

/** Requests of RFC 5849 §1.2 and the signatures that it gives for them. */
const SIGNED = [
  {
    request: { method: 'POST', origin: 'https://photos.example.net', path: '/token' },
    parameters: { token: 'hh5s93j4hdidpola', timestamp: '137131201', nonce: 'walatlh', verifier: 'hfdp7dh39dks9884' },
    tokenSecret: 'hdhd0244k9j7ao03',
    signature: 'gKgrFCywp7rO0OXSjdot/IHF7IU=',
  },
  {
    request: { method: 'GET', origin: 'http://photos.example.net', path: '/photos?file=vacation.jpg&size=original' },
    parameters: { token: 'nnch734d00sl2jdk', timestamp: '137131202', nonce: 'chapoH' },
    tokenSecret: 'pfkkdhi9sl3r4s00',
    signature: 'MdpQcU8iPSUjWoN/UDMsK2sui9I=',
  },
];

/** Texts that common URL encoders escape in different ways. */
const PIECES = [
  'a',
  'A',
  '~',
  '%',
  '%7E',
  '+',
  ' ',
  '=',
  '&',
  '/',
  '?',
  "'",
  '*',
  '!',
  '(',
  ')',
  'é',
  '李',
  '😀',
  '\n',
  '-',
  '_',
  '.',
];

/** The base string of RFC 5849 §3.4.1.1, with names and values that are repeated, empty or already encoded. */
const BASE =
  'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26' +
  'oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26' +
  'oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7';

describe('the signature of OAuth 1 (OAU-10)', () => {
  it('is refused for more parameters than can be sorted quickly', () => {
    const at = new Date();
    const signed = (pairs: number) => {
      const form = Array.from({ length: pairs }, () => 'a').join('&');
      return () => signatureBase({ method: 'POST', origin: 'https://a.example', path: '/', form, at, headers: [] }, []);
    };
    expect(signed(9_999)).not.to.throw();
    expect(signed(10_001)).to.throw(ServiceError).with.property('code', 'payload_too_large');
  });

  for (const { request, parameters, tokenSecret, signature } of SIGNED) {
    it(`is the one in the RFC for its ${request.method} of ${request.path}`, () => {
      const all = protocol({ consumer_key: 'dpf43f3p2l4k3l03', signature_method: 'HMAC-SHA1', ...parameters });
      const sign = signatureFunction('HMAC-SHA1', { consumerSecret: 'kd94hf93k423kf44', tokenSecret });
      expect(sign(signatureBase({ ...request, at }, all))).to.equal(signature);
    });
  }

  it('covers method, address and all parameters, the form among them', () => {
    const request = {
      method: 'post',
      origin: 'http://example.com',
      path: '/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b',
      form: 'c2&a3=2+q',
      at,
    };
    const parameters = protocol({
      consumer_key: '9djdj82h48djs9d2',
      token: 'kkk9d7dh3k39sjv7',
      signature_method: 'HMAC-SHA1',
      timestamp: '137131201',
      nonce: '7d8f3e4a',
    });
    expect(signatureBase(request, parameters)).to.equal(BASE);
  });

  it('includes the port if it is not the default of the scheme', () => {
    const base = signatureBase({ method: 'GET', origin: 'https://example.net:8080', path: '/?q=1', at }, []);
    expect(base).to.equal('GET&https%3A%2F%2Fexample.net%3A8080%2F&q%3D1');
  });

  it('is made with both secrets in encoded form', () => {
    const secrets = { consumerSecret: 'a b', tokenSecret: 'c&d' };
    expect(signatureFunction('PLAINTEXT', secrets)('anything')).to.equal('a%20b&c%26d');
    const [sha1, sha256] = (['HMAC-SHA1', 'HMAC-SHA256'] as const).map((method) => signatureFunction(method, secrets)('base'));
    expect([sha1?.length, sha256?.length]).to.deep.equal([28, 44]);
  });

  it('is an RSA signature by the app’s private key if the method says so', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    const signature = signatureFunction('RSA-SHA1', { consumerSecret: pem, tokenSecret: 'unused' })('base');
    expect(verify('sha1', Buffer.from('base'), publicKey, Buffer.from(signature, 'base64'))).to.equal(true);
    expect(() => signatureFunction('RSA-SHA1', { consumerSecret: 'no key', tokenSecret: '' })).to.throw(ServiceError, 'PEM');
  });

  it('is not made with a key of another kind', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(() => signatureFunction('RSA-SHA1', { consumerSecret: pem, tokenSecret: '' })).to.throw(ServiceError, 'RSA');
  });

  it('uses the private key that the app has beside its secret', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const signature = signatureFunction('RSA-SHA1', { consumerSecret: 'no key', tokenSecret: '', privateKey: pem })('base');
    expect(verify('sha1', Buffer.from('base'), publicKey, Buffer.from(signature, 'base64'))).to.equal(true);
  });

  it('has the same base string as in another library, whatever the parameters are', () =>
    withSeededRandom((random) => {
      const text = () => Array.from({ length: random.below(6) }, () => random.pick(PIECES)).join('');
      const pairs = (most: number) => Array.from({ length: random.below(most) }, () => [text(), text()] as [string, string]);
      for (let round = 0; round < 500; round += 1) {
        const [query, form] = [new URLSearchParams(pairs(5)), new URLSearchParams(pairs(4))];
        const own = protocol({ consumer_key: text(), nonce: text(), token: text() });
        const parameters: Record<string, string[]> = {};
        for (const [name, value] of [...query, ...form, ...own]) parameters[name] = [...(parameters[name] ?? []), value];
        const uri = `https://api.example:8443/a%20b/${round}`;
        const { origin, pathname } = new URL(uri);
        const request = { method: 'POST', origin, path: `${pathname}?${query}`, form: String(form), at };
        expect(signatureBase(request, own)).to.equal(oauthSign.generateBase('POST', uri, parameters));
      }
    }));

  it('has a nonce of its own in every request', () => {
    const client = { clientId: 'consumer', clientSecret: 'secret' };
    const sign = oauth1Signer({ client, token: 'token', tokenSecret: 'token secret', method: 'HMAC-SHA1' });
    const nonceOf = ({ authorization = '' }: Readonly<Record<string, string>>) =>
      /oauth_nonce="([^"]+)"/.exec(authorization)?.[1];
    const request = { method: 'GET', origin: 'https://api.example', path: '/', at };
    const nonces = new Set(Array.from({ length: SIGNED_AT_ONCE }, () => nonceOf(sign(request))));
    expect(nonces.has(undefined)).to.equal(false);
    expect(nonces).to.have.property('size', SIGNED_AT_ONCE);
  });

  it('leaves only unreserved characters as they are', () => {
    expect(percentEncode("AZaz09-._~ !'()*+,/é")).to.equal('AZaz09-._~%20%21%27%28%29%2A%2B%2C%2F%C3%A9');
  });
});
