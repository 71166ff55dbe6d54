import { type ErrorDetail, ServiceError } from '../errors.ts';
import type { Tags } from './connection.ts';

const MAX_TAGS = 10;
const MAX_KEY = 64;
const MAX_VALUE = 255;
/**
 * Matches a key before it is lower-cased, since a few letters that are not ASCII, such as the Kelvin sign, have an ASCII letter
 * as their lower case.
 */
const KEY = /^[a-z][a-z0-9_\-./]*$/i;
/** Deliberately loose (RFC 5321 allows more than any pattern): one @, a domain with a dot, no spaces. */
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;

/** Where tags came from, for the error code and the path of the error details. */
export interface TagSource {
  readonly code: 'invalid_body' | 'invalid_query_params';
  readonly path: readonly string[];
}

/** Lower-cases the keys and checks the tags against all rules. @throws ServiceError with one detail for each violated rule */
export function readTags(input: Readonly<Record<string, string>>, source: TagSource): Tags {
  const isTooMany = Object.keys(input).length > MAX_TAGS;
  const pairs = isTooMany ? [] : Object.entries(input);
  const entries = pairs.map(([key, value]) => ({ key: key.toLowerCase(), original: key, value }));
  const faults = isTooMany
    ? [{ code: 'too_big', message: `at most ${MAX_TAGS} keys`, path: [] }]
    : [...duplicateFaults(entries), ...entries.flatMap(entryFaults)];
  if (faults.length > 0) {
    const details = faults.map((fault) => ({ ...fault, path: [...source.path, ...fault.path] }));
    throw new ServiceError(source.code, `tags: ${faults.map((fault) => fault.message).join('; ')}`, { details });
  }
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
}

/** Returns whether a text is valid as the tag `end_user_email`. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

interface Tag {
  readonly key: string;
  readonly original: string;
  readonly value: string;
}

function duplicateFaults(entries: readonly Tag[]): ErrorDetail[] {
  const seen = new Set<string>();
  return entries.flatMap(({ key, original }) => {
    if (seen.has(key))
      return [{ code: 'duplicate_key', message: `"${key}" occurs twice (keys are not case-sensitive)`, path: [original] }];
    seen.add(key);
    return [];
  });
}

function entryFaults({ key, original, value }: Tag): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const fault = (code: string, message: string): number => faults.push({ code, message, path: [original] });
  if (original.length > MAX_KEY) return [{ code: 'too_big', message: `a key has at most ${MAX_KEY} characters`, path: [] }];
  if (!KEY.test(original))
    fault('invalid_key', `"${original}" must begin with a letter and contain only letters, digits, _ - . /`);
  if (value.length === 0) fault('too_small', `the value of "${original}" is empty`);
  if (value.length > MAX_VALUE) fault('too_big', `the value of "${original}" has more than ${MAX_VALUE} characters`);
  if (key === 'end_user_email' && value.length > 0 && !isEmail(value))
    fault('invalid_format', 'end_user_email is not an e-mail address');
  return faults;
}
