import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { JsonObject, ProviderDefinition } from '#contract';
import type { CredentialForm } from '../../auth-modes/auth-mode.ts';
import { placeholdersOf } from '../../kit/template.ts';
import { statedValue } from './examples.ts';

type KeyPair = Readonly<Record<'privateKey', import('node:crypto').KeyObject>>;

/** Generators of key pairs, by the beginning of the algorithm's name (RFC 7518 §3.1, RFC 8037 §3.1). */
const KEY_PAIRS: readonly [RegExp, () => KeyPair][] = [
  [/^ES256/, () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  [/^ES384/, () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
  [/^ES512/, () => generateKeyPairSync('ec', { namedCurve: 'P-521' })],
  [/^EdDSA/, () => generateKeyPairSync('ed25519')],
];

/** Returns the values that a user would enter: the example of each field, else a value made up for the rehearsal. */
export function enteredValues(form: Pick<CredentialForm, 'fields' | 'example'>, definition: ProviderDefinition): JsonObject {
  const { credentials: declared = {} } = definition;
  const names = new Set([...Object.keys(form.fields), ...Object.keys(declared)]);
  const keys = signingKeys(definition);
  const entries = [...names].flatMap((name) => {
    const field = declared[name];
    const look = form.fields[name];
    const isLeftOut = field?.optional === true || (look?.hidden === true && field?.hidden !== false);
    if (isLeftOut) return [];
    const known = statedValue(field);
    const isSecret = field?.secret === true || look?.secret === true;
    return [[name, keys.get(name) ?? keyNamed(name) ?? known ?? (isSecret ? undefined : exampleIn(form, name)) ?? madeUp(name)]];
  });
  return Object.fromEntries(entries);
}

/** Generates a private key in PEM, for client assertions or for signatures of the integration itself. */
export function privateKeyPem(algorithm = 'RS256'): string {
  const [, generate] = KEY_PAIRS.find(([pattern]) => pattern.test(algorithm)) ?? [];
  const { privateKey } = generate?.() ?? generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function exampleIn({ example }: Pick<CredentialForm, 'example'>, name: string): string | undefined {
  const value = example?.[name];
  return typeof value === 'string' ? value : undefined;
}

function madeUp(name: string): string {
  return `rehearsal-${name}-${randomBytes(8).toString('hex')}`;
}

/** Returns a private key for the user's own OAuth 2.0 client, if the field is for one. */
function keyNamed(name: string): string | undefined {
  return name === 'client_private_key' ? privateKeyPem() : undefined;
}

/**
 * Returns values for the fields that hold the keys with which a definition signs, in the form that its algorithm and its encoding
 * require.
 */
function signingKeys({ token, assertion }: ProviderDefinition): ReadonlyMap<string, string> {
  const template = token ?? assertion;
  if (template === undefined) return new Map();
  const { signing_key, signing_key_encoding: encoding, header } = template;
  const key = header.alg.startsWith('HS') ? secretKey(encoding) : encodedPem(privateKeyPem(header.alg), encoding);
  const fields = placeholdersOf(signing_key).flatMap((name): [string, string][] => {
    const [group, field = '', part] = name.split('.');
    return group === 'credentials' ? [[field, part === undefined ? key : `rehearsal:${key}`]] : [];
  });
  return new Map(fields);
}

function secretKey(encoding: string | undefined): string {
  const bytes = randomBytes(32);
  return encoding === 'base64' ? bytes.toString('base64') : bytes.toString('hex');
}

function encodedPem(pem: string, encoding: string | undefined): string {
  if (encoding !== 'base64' && encoding !== 'hex') return pem;
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  return der.toString(encoding);
}
