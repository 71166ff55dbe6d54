import { createHash } from 'node:crypto';
import type { IncomingWebhook } from '#contract';
import { forge, type Scheme } from './schemes.ts';

/**
 * What forgeries are made from: a genuine delivery with its secret, and secrets that the service must not accept: that of another
 * integration, the client secret, and a webhook secret that was replaced more than a day ago.
 */
export interface Found {
  readonly scheme: Scheme;
  readonly secret: string;
  readonly otherSecret: string;
  readonly endedSecret: string;
  readonly clientSecret: string;
  readonly body: Buffer;
  readonly at: Date;
}

export type Forged = Partial<Pick<IncomingWebhook, 'headers' | 'rawBody' | 'query'>>;
type Spelling = (digest: Buffer, spelt: string) => string;

const base64url = (digest: Buffer) => digest.toString('base64url');

/** Wrong spellings of the right digest. */
const SPELLINGS: Readonly<Record<string, Spelling>> = {
  'is truncated by a character': (_, spelt) => spelt.slice(0, -1),
  'is truncated to the first byte': (_, spelt) => spelt.slice(0, 2),
  'is truncated to half': (_, spelt) => spelt.slice(0, spelt.length / 2),
  'lacks its first character': (_, spelt) => spelt.slice(1),
  'is extended by a character': (_, spelt) => `${spelt}0`,
  'is extended by itself': (_, spelt) => spelt + spelt,
  'is extended by a padding': (_, spelt) => `${spelt}=`,
  'is in capitals': (_, spelt) => spelt.toUpperCase(),
  'is in small letters': (_, spelt) => spelt.toLowerCase(),
  'is hex for base64': (digest) => digest.toString('hex'),
  'is base64 for hex': (digest) => digest.toString('base64'),
  'is base64url': base64url,
  'is binary': (digest) => digest.toString('latin1'),
  'is hex of the text': (_, spelt) => Buffer.from(spelt).toString('hex'),
  'is base64 of the text': (_, spelt) => Buffer.from(spelt).toString('base64'),
  'has a changed first character': (_, spelt) => (spelt.startsWith('0') ? '1' : '0') + spelt.slice(1),
  'has a changed last character': (_, spelt) => spelt.slice(0, -1) + (spelt.endsWith('0') ? '1' : '0'),
  'is reversed': (_, spelt) => [...spelt].toReversed().join(''),
  'is all zeros': (_, spelt) => '0'.repeat(spelt.length),
  'is half zeros': (_, spelt) => spelt.slice(0, spelt.length / 2).padEnd(spelt.length, '0'),
  'is empty': () => '',
  'is undefined': () => 'undefined',
  'is null': () => 'null',
  'is true': () => 'true',
  'is a star': () => '*',
  'has 0x before it': (_, spelt) => `0x${spelt}`,
  'is quoted': (_, spelt) => `"${spelt}"`,
  'has a tab before it': (_, spelt) => `\t${spelt}`,
  'has a tab after it': (_, spelt) => `${spelt}\t`,
  'ends with NUL': (_, spelt) => `${spelt}\0`,
  'is full-width': (_, spelt) => [...spelt].map((one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfee0)).join(''),
  'is percent-encoded': (_, spelt) => [...spelt].map((one) => `%${Buffer.from(one).toString('hex')}`).join(''),
};

type Signing = (found: Found) => Buffer;
const hmac = ({ scheme, body, at }: Found, key: string | Buffer, content = scheme.content(body, at)) =>
  forge(scheme.rule.algorithm, key, content);

/** Digests in the right form, but of other content, with another key or by another algorithm. */
const SIGNINGS: Readonly<Record<string, Signing>> = {
  'of another body': (found) => hmac({ ...found, body: Buffer.from('{"id": 2}') }, found.scheme.key(found.secret)),
  'of no body': (found) => hmac({ ...found, body: Buffer.alloc(0) }, found.scheme.key(found.secret)),
  'of the body and a line feed': (found) =>
    hmac({ ...found, body: Buffer.concat([found.body, Buffer.from('\n')]) }, found.scheme.key(found.secret)),
  'of the body written anew': (found) =>
    hmac({ ...found, body: Buffer.from(JSON.stringify(JSON.parse(found.body.toString()))) }, found.scheme.key(found.secret)),
  'of another time': (found) => hmac({ ...found, at: new Date(found.at.getTime() - 1000) }, found.scheme.key(found.secret)),
  'with another secret': (found) => hmac(found, found.scheme.key(found.otherSecret)),
  'with an empty secret': (found) => hmac(found, ''),
  'with a secret of one character': (found) => hmac(found, 'a'),
  'with the secret before, after its day': (found) => hmac(found, found.scheme.key(found.endedSecret)),
  'with the client secret': (found) => hmac(found, found.clientSecret),
  'with the secret and a blank': (found) => hmac(found, `${found.secret} `),
  'with the secret and a line feed': (found) => hmac(found, `${found.secret}\n`),
  'with the secret in small letters': (found) => hmac(found, found.secret.toLowerCase()),
  'with the secret in hex': (found) => hmac(found, Buffer.from(found.secret).toString('hex')),
  'with the secret in base64': (found) => hmac(found, Buffer.from(found.secret).toString('base64')),
  'with the name of the secret': (found) => hmac(found, 'webhookSecret'),
  'with the word undefined': (found) => hmac(found, 'undefined'),
  'with the body as secret': (found) => hmac(found, found.body, found.scheme.key(found.secret)),
  'with SHA-1 or SHA-256': ({ scheme, secret, body, at }) =>
    forge(scheme.rule.algorithm === 'sha1' ? 'sha256' : 'sha1', scheme.key(secret), scheme.content(body, at)),
  'with MD5': ({ scheme, secret, body, at }) => forge('md5', scheme.key(secret), scheme.content(body, at)),
  'with SHA-384': ({ scheme, secret, body, at }) => forge('sha384', scheme.key(secret), scheme.content(body, at)),
  'without a key': ({ scheme, body, at }) => createHash(scheme.rule.algorithm).update(scheme.content(body, at)).digest(),
  'as a hash of secret and body': ({ scheme, secret, body, at }) =>
    createHash(scheme.rule.algorithm).update(secret).update(scheme.content(body, at)).digest(),
  'as a hash of body and secret': ({ scheme, secret, body, at }) =>
    createHash(scheme.rule.algorithm).update(scheme.content(body, at)).update(secret).digest(),
};

type Rewriting = (header: string, scheme: Scheme) => string | undefined;

/** Changes to the header that contains the right digest. */
const REWRITINGS: Readonly<Record<string, Rewriting>> = {
  'is absent': () => undefined,
  'is empty': () => '',
  'is a blank': () => ' ',
  'is only the prefix': (_, { rule }) => rule.prefix,
  'has no prefix': (header, { rule }) => header.slice(rule.prefix?.length ?? header.length),
  'has the prefix twice': (header, { rule }) => `${rule.prefix ?? '='}${header}`,
  'has the prefix in capitals': (header, { rule }) => header.replace(rule.prefix ?? header, (prefix) => prefix.toUpperCase()),
  'names SHA-1': (header, { rule }) => header.replace(rule.prefix ?? '', 'sha1-'),
  'names SHA-256 again': (header, { rule }) => header.replace(rule.prefix ?? '', 'sha256:'),
  'names MD5': (header, { rule }) => header.replace(rule.prefix ?? '', 'md5='),
  'names no algorithm': (header, { rule }) => header.replace(rule.prefix ?? '', 'none='),
  'names another version': (header) => header.replace(/v[01]/, 'v2'),
};

/** Headers with something added to the right digest. Two headers of the same name arrive joined by a comma. */
const ADDITIONS: Readonly<Record<string, Rewriting>> = {
  'has a blank before it': (header) => ` ${header}`,
  'is preceded by another scheme': (header) => `Bearer ${header}`,
  'is sent twice': (header) => `${header}, ${header}`,
  'is sent twice, first a wrong one': (header) => `sha256=${'0'.repeat(64)}, ${header}`,
  'is sent twice, last a wrong one': (header) => `${header}, sha256=${'0'.repeat(64)}`,
  'is sent twice, first an empty one': (header) => `, ${header}`,
  'is sent twice, last an empty one': (header) => `${header}, `,
};

/** Changes to the body, which is sent with the signature of the original body. */
const BODIES: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  'lost a byte': (body) => body.subarray(0, -1),
  'got a line feed': (body) => Buffer.concat([body, Buffer.from('\n')]),
  'got a byte-order mark': (body) => Buffer.concat([Buffer.from('\ufeff'), body]),
  'is empty': () => Buffer.alloc(0),
  'was written anew': (body) => Buffer.from(JSON.stringify(JSON.parse(body.toString()))),
  'has one bit changed': (body) => Buffer.from(body.map((byte, at) => (at === 6 ? byte ^ 1 : byte))),
};

/** Returns forged deliveries, keyed by what is wrong with each. A change that reproduces the genuine delivery is left out. */
export function forgeriesOf(found: Found): Record<string, Forged> {
  const { scheme, secret, body, at } = found;
  const { encoding, header, algorithm } = scheme.rule;
  const digest = forge(algorithm, scheme.key(secret), scheme.content(body, at));
  const spelt = digest.toString(encoding);
  const good = scheme.place(spelt, at);
  const rewrite = (change: Rewriting): Forged => {
    const { [header]: value = '', ...others } = good;
    const changed = change(value, scheme);
    return { headers: changed === undefined ? others : { ...others, [header]: changed } };
  };
  const forged: [string, Forged][] = [
    ...each(SPELLINGS, (spell): Forged => ({ headers: scheme.place(spell(digest, spelt), at) }), 'the digest'),
    ...each(SIGNINGS, (sign): Forged => ({ headers: scheme.place(sign(found).toString(encoding), at) }), 'signed'),
    ...each({ ...REWRITINGS, ...(scheme.splits ? {} : ADDITIONS) }, rewrite, 'the header'),
    ...each(BODIES, (change): Forged => ({ headers: good, rawBody: change(body) }), 'the body'),
    ['the digest is in another header', { headers: { 'x-forwarded-signature': spelt } }],
    ['the digest is in the query', { headers: {}, query: { [header]: spelt } }],
  ];
  return Object.fromEntries(forged.filter(([, one]) => one.rawBody !== undefined || one.headers?.[header] !== good[header]));
}

function each<T>(table: Readonly<Record<string, T>>, make: (one: T) => Forged, subject: string): [string, Forged][] {
  return Object.entries(table).map(([name, one]) => [`${subject} ${name}`, make(one)]);
}
