import {
  byRsa,
  CLAIMS,
  DAY_SECONDS,
  ec,
  ISSUER,
  jwk,
  octets,
  otherRsa,
  pem,
  publicJwk,
  rsa,
  rsaToken,
  SECONDS,
  weakRsa,
  without,
} from './provider-keys.ts';
import { SIGNERS, type TokenPart, token } from './tokens.ts';

type Tokens = Readonly<Record<string, string>>;

const good = rsaToken();
const [header = '', claims = '', signature = ''] = good.split('.');
const hs = (key: string | Buffer, more: TokenPart = {}) =>
  token({ alg: 'HS256', kid: 'rsa', ...more }, CLAIMS, SIGNERS.hs256(key));
const forged = (more: TokenPart) => token({ alg: 'RS256', kid: 'rsa', ...more }, CLAIMS, SIGNERS.rs256(otherRsa.privateKey));

/**
 * Returns invalid tokens, keyed by what is wrong with each.
 *
 * @param forger a URL of the forger, from which the verifier must never fetch keys
 */
export function forgedTokens(forger: string): Tokens {
  return { ...ALGORITHMS, ...keysOf(forger), ...WRONG_CLAIMS, ...FORMS };
}

const ALGORITHMS: Tokens = {
  'has the algorithm none': token({ alg: 'none', kid: 'rsa' }, CLAIMS, SIGNERS.none()),
  'has the algorithm None': token({ alg: 'None', kid: 'rsa' }, CLAIMS, SIGNERS.none()),
  'has the algorithm nOnE, with a signature': token({ alg: 'nOnE', kid: 'rsa' }, CLAIMS, byRsa),
  'has no algorithm': token({ kid: 'rsa' }, CLAIMS, byRsa),
  'has a list of algorithms': token({ alg: ['RS256'], kid: 'rsa' }, CLAIMS, byRsa),
  'has its signature cut off': `${header}.${claims}.`,
  'lacks the third part': `${header}.${claims}`,
  'is HS256 with the public key as PEM': hs(pem),
  'is HS256 with the public key as PEM, trimmed': hs(pem.trim()),
  'is HS256 with the public key as PEM, in white space': hs(`\n ${pem}\n`),
  'is HS256 with the public key as PEM, with CRLF': hs(pem.replaceAll('\n', '\r\n')),
  'is HS256 with the public key as DER': hs(rsa.publicKey.export({ type: 'spki', format: 'der' })),
  'is HS256 with the public key as JWK': hs(publicJwk),
  'is HS256 with the modulus': hs(String(rsa.publicKey.export({ format: 'jwk' }).n)),
  'is HS256 with no key': hs(''),
  'is HS256 with a symmetric key of the set': hs(octets, { kid: 'oct' }),
  'is HS256 under the name RS256': token({ alg: 'RS256', kid: 'rsa' }, CLAIMS, SIGNERS.hs256(pem)),
};

function keysOf(forger: string): Tokens {
  const ownJwk = jwk(otherRsa.publicKey, { kid: 'own' });
  return {
    'is of another key': forged({}),
    'is of an unknown key': forged({ kid: 'unknown' }),
    'is of a key whose private half is in the set': forged({ kid: 'private' }),
    'is of a key that is for encryption': forged({ kid: 'encryption' }),
    'is of a key of 1024 bits': token({ alg: 'RS256', kid: 'weak' }, CLAIMS, SIGNERS.rs256(weakRsa.privateKey)),
    'names a key of another type': token({ alg: 'RS256', kid: 'ec' }, CLAIMS, byRsa),
    'names another algorithm than the key': token({ alg: 'ES256', kid: 'rsa' }, CLAIMS, SIGNERS.es256(ec.privateKey)),
    'is PS256 for a key that is for RS256': token({ alg: 'PS256', kid: 'rsa' }, CLAIMS, byRsa),
    'has a path as kid': forged({ kid: '../../../../dev/null' }),
    'has an address as kid': forged({ kid: `${forger}/keys` }),
    'has SQL as kid': forged({ kid: "x' union select 'key" }),
    'has an inherited name as kid': forged({ kid: '__proto__' }),
    'has an object as kid': forged({ kid: { kid: 'rsa' } }),
    'has an empty kid': forged({ kid: '' }),
    'brings the address of its keys': forged({ jku: `${forger}/keys`, kid: 'own' }),
    'brings the address of its keys, truly signed': rsaToken({}, { jku: `${forger}/keys` }),
    'brings its key': forged({ jwk: ownJwk, kid: 'own' }),
    'brings its key, truly signed': rsaToken({}, { jwk: jwk(rsa.publicKey, {}) }),
    'brings the address of a certificate': forged({ x5u: `${forger}/cert`, kid: 'own' }),
    'brings a certificate': forged({ x5c: ['MIIB'], kid: 'own' }),
    'has a critical member': rsaToken({}, { crit: ['exp'] }),
    'has a critical member that is unknown': rsaToken({}, { crit: ['http://rules.example'], 'http://rules.example': true }),
    'has a payload that is not encoded': rsaToken({}, { b64: false, crit: ['b64'] }),
  };
}

const WRONG_CLAIMS: Tokens = {
  'has expired': rsaToken({ exp: SECONDS - 61 }),
  'expired long ago': rsaToken({ exp: 1 }),
  'never expires': without('exp'),
  'expires in the far future': rsaToken({ exp: SECONDS + DAY_SECONDS + 61 }),
  'expires at the end of time': rsaToken({ exp: Number.MAX_SAFE_INTEGER }),
  'expires as a text': rsaToken({ exp: String(SECONDS + 600) }),
  'expires at null': rsaToken({ exp: null }),
  'is from the far future': rsaToken({ iat: SECONDS + 61 }),
  'is not valid yet': rsaToken({ nbf: SECONDS + 61 }),
  'is not valid before a text': rsaToken({ nbf: 'now' }),
  'has another issuer': rsaToken({ iss: 'https://evil.example' }),
  'has an issuer that begins right': rsaToken({ iss: `${ISSUER}.evil.example` }),
  'has a list of issuers': rsaToken({ iss: [ISSUER] }),
  'has no issuer': without('iss'),
  'has another audience': rsaToken({ aud: 'https://svc.example/webhook/another/tracker' }),
  'has an audience that begins right': rsaToken({ aud: `${CLAIMS.aud}/more` }),
  'has the host as audience': rsaToken({ aud: 'https://svc.example' }),
  'has an empty list of audiences': rsaToken({ aud: [] }),
  'has no audience': without('aud'),
};

const FORMS: Tokens = {
  'has two signatures, separated by a comma': `${good}, ${good}`,
  'has two signatures, in the JSON form': JSON.stringify({
    payload: claims,
    signatures: [
      { protected: header, signature },
      { protected: header, signature },
    ],
  }),
  'has four parts': `${good}.${signature}`,
  'has five parts': `${header}.${claims}.${signature}.${claims}.${signature}`,
  'has other claims': `${header}.${Buffer.from(JSON.stringify({ ...CLAIMS, admin: true })).toString('base64url')}.${signature}`,
  'has another header': `${Buffer.from('{"alg":"RS256","kid":"rsa","a":1}').toString('base64url')}.${claims}.${signature}`,
  'has a changed signature': `${header}.${claims}.${signature.replace(/^./, (one) => (one === 'A' ? 'B' : 'A'))}`,
  'has a signature of base64': `${header}.${claims}.${Buffer.from(signature, 'base64url').toString('base64')}=`,
  'has a blank after it': `${good} `,
  'has a line feed after it': `${good}\n`,
  'has a header that is no JSON': `${Buffer.from('{').toString('base64url')}.${claims}.${signature}`,
  'has a header that is a list': `${Buffer.from('[]').toString('base64url')}.${claims}.${signature}`,
  'has claims that are a list': token({ alg: 'RS256', kid: 'rsa' }, [] as unknown as TokenPart, byRsa),
  'is of an elliptic key, as DER': token({ alg: 'ES256', kid: 'ec' }, CLAIMS, () => Buffer.alloc(70, 0x30)),
  'is of an elliptic key, of zeros': token({ alg: 'ES256', kid: 'ec' }, CLAIMS, () => Buffer.alloc(64)),
  'is longer than any': rsaToken({ padding: 'x'.repeat(20_000) }),
  'is only dots': '..',
};
