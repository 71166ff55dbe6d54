import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { JWT_ALGORITHMS, type JwtAlgorithm, type KeyEncoding } from '#contract';
import { readSigningKey } from '../../../../../core/auth-modes/building-blocks/signed-jwt/signing-key.ts';
import { SigningKeyError } from '../../../../../core/auth-modes/building-blocks/signed-jwt/signing-key-error.ts';
import { sweep } from '../../../../support/canaries.ts';
import { derOf, hexSecret, PAIR_OF, PAIRS, type PairName, pemOf, rememberPem } from '../../../../support/signing-keys.ts';

const PEM = pemOf(PAIRS.rsa);
const PKCS1 = pemOf(PAIRS.rsa, 'pkcs1');
const SEC1 = pemOf(PAIRS.p256, 'sec1');
const SECRET = hexSecret();
const small = generateKeyPairSync('rsa', { modulusLength: 1024 });
const encrypted = (type: 'pkcs8' | 'pkcs1') =>
  rememberPem(
    PAIRS.rsa.privateKey.export({ type: type as 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open' }).toString(),
  );
const publicPem = PAIRS.rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** Forms in which a signing key is accepted. */
const READABLE: readonly (readonly [what: string, text: string, algorithm: JwtAlgorithm, encoding?: KeyEncoding])[] = [
  ['PKCS #8', PEM, 'RS256'],
  ['PKCS #1', PKCS1, 'RS256'],
  ['SEC 1', SEC1, 'ES256'],
  ['PEM with Windows line breaks', PEM.replaceAll('\n', '\r\n'), 'RS256', 'pem'],
  ['PEM with literal \\n', PEM.replaceAll('\n', '\\n'), 'RS256', 'pem'],
  ['PEM that was pasted into one line', PEM.replaceAll('\n', ''), 'RS256', 'pem'],
  ['PEM whose line breaks became spaces', PEM.replaceAll('\n', ' '), 'RS256', 'pem'],
  ['PEM with a note above it', `Bag Attributes\n    friendlyName: key\n${PEM}`, 'RS256', 'pem'],
  ['DER of PKCS #8 in base64', derOf(PAIRS.rsa).toString('base64'), 'RS256', 'base64'],
  ['DER of PKCS #1 in base64', derOf(PAIRS.rsa, 'pkcs1').toString('base64'), 'PS256', 'base64'],
  ['DER of SEC 1 in hexadecimal digits', derOf(PAIRS.p256, 'sec1').toString('hex'), 'ES256', 'hex'],
  ['DER in URL-safe base64', derOf(PAIRS.ed25519).toString('base64url'), 'EdDSA', 'base64'],
  ['base64 of a PEM, in lines', Buffer.from(PEM).toString('base64').replace(/.{76}/g, '$&\n'), 'RS256', 'base64'],
  ['a secret', SECRET, 'HS256'],
  ['a secret in hexadecimal digits', SECRET.toUpperCase(), 'HS512', 'hex'],
  ['a secret in base64', Buffer.from(SECRET).toString('base64'), 'HS384', 'base64'],
];

const REFUSED: readonly (readonly [
  what: string,
  text: string,
  algorithm: JwtAlgorithm,
  encoding: KeyEncoding | undefined,
  message: string,
])[] = [
  ['no PEM', 'not a key', 'RS256', undefined, 'it is not a PEM, which begins with "-----BEGIN"'],
  ['half a PEM', PEM.slice(0, 400), 'RS256', 'pem', 'it is not a PEM, which begins with "-----BEGIN"'],
  ['a PEM with other characters', PEM.replace(/\n/, '\n%'), 'RS256', 'pem', 'its PEM is damaged'],
  ['an empty PEM', '-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----', 'RS256', 'pem', 'its PEM is damaged'],
  [
    'a shortened PEM',
    PEM.split('\n').toSpliced(2, 3).join('\n'),
    'RS256',
    'pem',
    'it is not a private key (PKCS #8, PKCS #1 or SEC 1)',
  ],
  ['a public key', publicPem, 'RS256', 'pem', 'it is a PEM of another kind, such as a public key'],
  ['an encrypted PKCS #8', encrypted('pkcs8'), 'RS256', 'pem', 'it is encrypted with a passphrase; give the unencrypted key'],
  ['an encrypted PKCS #1', encrypted('pkcs1'), 'RS256', 'pem', 'it is encrypted with a passphrase; give the unencrypted key'],
  ['a short RSA key', pemOf(small), 'PS256', 'pem', 'PS256 needs an RSA key of at least 2048 bits'],
  ['a text as the key of a pair', PEM, 'RS256', 'utf8', 'it is not a private key (PKCS #8, PKCS #1 or SEC 1)'],
  ['other characters than base64', `${SECRET}!`, 'HS256', 'base64', 'it is not base64'],
  ['other characters than hexadecimal digits', `${SECRET}g`, 'HS256', 'hex', 'it is not hex'],
  ['an odd number of digits', SECRET.slice(1), 'HS256', 'hex', 'it is not hex'],
  ['an empty secret', '', 'HS256', 'utf8', 'it is empty'],
  ['a PEM for a secret', PEM, 'HS256', 'pem', 'it is a PEM, but the algorithm needs a secret'],
];

function errorOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('it did not fail');
}

describe('a signing key', () => {
  for (const [what, text, algorithm, encoding] of READABLE) {
    it(`is read from ${what}`, () => {
      const { key } = readSigningKey(text, { algorithm, encoding });
      const pair = PAIR_OF[algorithm];
      if (pair !== undefined) expect(key.equals(PAIRS[pair].privateKey)).to.equal(true);
      else expect([key.type, key.symmetricKeySize]).to.deep.equal(['secret', encoding === 'hex' ? 32 : 64]);
    });
  }

  for (const [what, text, algorithm, encoding, message] of REFUSED) {
    it(`is not read from ${what}, and the error repeats nothing of it`, () => {
      const error = errorOf(() => readSigningKey(text, { algorithm, encoding }));
      expect(error).to.be.instanceOf(SigningKeyError).and.to.include({ message });
      expect(error.cause).to.equal(undefined);
      expect(sweep({ error: `${error.message} ${error.stack}` })).to.deep.equal([]);
    });
  }

  for (const algorithm of JWT_ALGORITHMS.filter((name) => PAIR_OF[name] !== undefined)) {
    it(`for ${algorithm} is of one kind only`, () => {
      for (const [name, pair] of Object.entries(PAIRS)) {
        const read = () => readSigningKey(pemOf(pair), { algorithm });
        if (PAIR_OF[algorithm] === (name as PairName)) expect(read().algorithm).to.equal(algorithm);
        else expect(errorOf(read).message).to.match(new RegExp(`^${algorithm} needs an `));
      }
    });
  }
});
