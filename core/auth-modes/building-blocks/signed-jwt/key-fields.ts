import * as z from 'zod';
import { type ProviderDefinition, type SignedJwtTemplate, withDefaults } from '#contract';
import { placeholdersOf } from '../../../kit/template.ts';
import { identifier, longSecret, secret } from '../credential-input.ts';
import { SigningKeyError } from './signing-key-error.ts';

const ID_AND_SECRET = /^([^:]{1,255}):(.+)$/s;

/** A key's ID and secret, for providers that issue both as one text `id:secret`. */
interface IdAndSecret {
  readonly id: string;
  readonly secret: string;
}

/** The fields that a user enters for signing. */
export interface KeyFields {
  readonly privateKey: string | IdAndSecret;
  readonly privateKeyId?: string;
  readonly issuerId?: string;
  /** The values of additional fields that the definition declares. */
  readonly otherFields?: Readonly<Record<string, string>>;
}

/** The schemas of those form fields that the service itself uses, and not only in templates. */
export const keyMembers = {
  privateKey: z.union([longSecret, z.strictObject({ id: identifier, secret: longSecret })]),
  privateKeyId: identifier.optional(),
  issuerId: identifier.optional(),
};

/** The schema of the values of additional fields that the definition declares. */
export const otherMember = secret;

interface EnteredKey {
  readonly privateKey: KeyFields['privateKey'];
  readonly [name: string]: unknown;
}

/**
 * Sorts entered values into key fields.
 *
 * @param entered values checked by a schema of `keyMembers`, whose additional fields are checked by `otherMember`
 */
export function keyFieldsOf({ type: _, privateKey, ...others }: EnteredKey): KeyFields {
  const texts = Object.entries(others).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const { privateKeyId, issuerId, ...otherFields } = Object.fromEntries(texts);
  return {
    privateKey,
    ...(privateKeyId !== undefined && { privateKeyId }),
    ...(issuerId !== undefined && { issuerId }),
    ...(Object.keys(otherFields).length > 0 && { otherFields }),
  };
}

/**
 * Returns the fields as the definition uses them: with its default values, and with the key split into ID and secret if its
 * templates name these parts.
 *
 * @throws SigningKeyError if the key has the other of the two forms
 */
export function fittedFields(
  { credentials }: Pick<ProviderDefinition, 'credentials'>,
  template: SignedJwtTemplate,
  { privateKey, privateKeyId = '', issuerId = '', otherFields }: KeyFields,
): KeyFields {
  const { privateKey: _, ...others } = withDefaults(credentials, { ...otherFields, privateKeyId, issuerId });
  const hasParts = placeholdersOf(JSON.stringify(template)).includes('credentials.privateKey.secret');
  return keyFieldsOf({ ...others, privateKey: hasParts ? inParts(privateKey) : asText(privateKey) });
}

function inParts(key: KeyFields['privateKey']): IdAndSecret {
  if (typeof key !== 'string') return key;
  const [, id = '', value = ''] = ID_AND_SECRET.exec(key) ?? [];
  if (id === '') throw new SigningKeyError('it does not have the form id:secret');
  return { id, secret: value };
}

function asText(key: KeyFields['privateKey']): string {
  if (typeof key === 'string') return key;
  throw new SigningKeyError('it has two parts, but this provider issues it as one text');
}

/** Returns the fields as template values for calls to the provider's API, that is, without the key. */
export function namesOf({ privateKeyId, issuerId, otherFields }: KeyFields): Readonly<Record<string, string>> {
  const fields = { ...otherFields, privateKeyId, issuerId };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[`credentials.${name}`, value]])),
  );
}

/** Returns the fields as template values for the token that the key signs, that is, including the key. */
export function keyValues(fields: KeyFields): Readonly<Record<string, string>> {
  const { privateKey } = fields;
  if (typeof privateKey === 'string') return { ...namesOf(fields), 'credentials.privateKey': onOneLine(privateKey) };
  return { ...namesOf(fields), 'credentials.privateKey.id': privateKey.id, 'credentials.privateKey.secret': privateKey.secret };
}

/** Replaces the line breaks of a PEM by `\n`, since template values have no line breaks; the key parser accepts this form. */
function onOneLine(pem: string): string {
  return pem.startsWith('-----BEGIN ') ? pem.replace(/\r?\n/g, '\\n') : pem;
}
