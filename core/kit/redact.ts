import { ExactNumber } from './exact-json.ts';
import { hideKeys } from './hide-keys.ts';

const MAX_TEXT = 2048;
const MAX_NAME = 128;
/** Maximum number of characters of all texts and names of one line's facts together. */
const MAX_CHARACTERS = 8192;
const MAX_DEPTH = 6;
const MAX_MEMBERS = 100;
const REDACTED = '[redacted]';

// Compared in lower case without hyphens and underscores, so that client_secret, clientSecret and Client-Secret are one name.
const SECRET_NAMES = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'credentials',
  'code',
  'state',
  'codeverifier',
  'assertion',
  'clientassertion',
  'tokens',
  'jwt',
]);
// A field `code` of this form is a SQLSTATE, which has five digits and capitals (PostgreSQL documentation, appendix A). An
// authorization code, which must not be logged, is far longer (RFC 6749, section 10.10).
const SQLSTATE = /^[0-9A-Z]{5}$/;
const SECRET_ENDINGS = /(?:password|passphrase|secret|secrets|token|apikey|accountkey|privatekey|devkey|encryptionkeys?)$/;

/**
 * What remains of a line's size limit. Depth alone is not enough of a limit: an object that refers to itself several times would
 * fill the memory.
 */
interface Budget {
  members: number;
  characters: number;
}

/**
 * Returns a copy of facts that may be written to a log: values whose names indicate a secret are replaced, texts are cut, errors
 * and unusual values are described.
 *
 * Secrets are recognised by the names of their properties, and the service's API keys also by their form. Any other secret in a
 * message or under a harmless name is kept, so never put one there.
 */
export function redact(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return describeMembers(facts, 0, { members: MAX_MEMBERS * MAX_DEPTH, characters: MAX_CHARACTERS });
}

/**
 * Returns a text without keys of the service, cut to `max` characters (default: 2,048), with a note of how many more there were.
 * Characters that PostgreSQL cannot keep in JSON, U+0000 and halves of surrogate pairs, become U+FFFD.
 */
export function safeText(text: string, max = MAX_TEXT): string {
  const safe = hideKeys(text);
  const kept = safe.slice(0, max).toWellFormed().replaceAll('\0', '\ufffd');
  return safe.length <= max ? kept : `${kept}… (${safe.length - max} more)`;
}

function describeText(text: string, budget: Budget, max = MAX_TEXT): string {
  if (budget.characters <= 0) return '…';
  const safe = safeText(text, Math.min(max, budget.characters));
  budget.characters -= safe.length;
  return safe;
}

function describe(value: unknown, depth: number, budget: Budget): unknown {
  if (typeof value === 'string') return describeText(value, budget);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof ExactNumber) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  // A query string may hold a code or a token.
  if (value instanceof URL) return describeText(value.origin + value.pathname, budget);
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (depth >= MAX_DEPTH || budget.members <= 0) return '…';
  if (value instanceof Error) return describeError(value, depth, budget);
  if (Array.isArray(value)) return value.slice(0, reserve(value.length, budget)).map((item) => describe(item, depth + 1, budget));
  return describeMembers(value, depth, budget);
}

function describeMembers(value: object, depth: number, budget: Budget): Record<string, unknown> {
  const names = Object.keys(value);
  const kept = names.slice(0, reserve(names.length, budget));
  return Object.fromEntries(
    kept.map((name) => {
      const member: unknown = Reflect.get(value, name);
      const isSecret = isSecretName(name) && !isSqlState(name, member);
      return [describeText(name, budget, MAX_NAME), isSecret ? REDACTED : describe(member, depth + 1, budget)];
    }),
  );
}

function isSqlState(name: string, value: unknown): boolean {
  return name === 'code' && typeof value === 'string' && SQLSTATE.test(value);
}

/**
 * Describes an error. Properties that libraries have added to it are left out, because drivers and HTTP clients keep queries,
 * headers and bodies there.
 */
function describeError(error: Error, depth: number, budget: Budget): Record<string, unknown> {
  const text = (value: string) => describeText(value, budget);
  const code =
    'code' in error && ['string', 'number'].includes(typeof error.code) ? { code: describe(error.code, depth, budget) } : {};
  return {
    name: text(error.name),
    ...code,
    message: text(error.message),
    stack: text(error.stack ?? ''),
    ...(error.cause !== undefined && { cause: describe(error.cause, depth + 1, budget) }),
  };
}

/** Returns whether a property's name indicates a secret. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[-_]/g, '');
  return SECRET_NAMES.has(plain) || SECRET_ENDINGS.test(plain);
}

function reserve(count: number, budget: Budget): number {
  const reserved = Math.min(count, MAX_MEMBERS, budget.members);
  budget.members -= reserved;
  return reserved;
}
