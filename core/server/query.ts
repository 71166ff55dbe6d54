import qs from 'qs';
import { inputError } from './check-input.ts';

/** Maximum nesting: `tags[key]=value` is one level, `params[list][]=value` two. */
const MAX_DEPTH = 2;
const MAX_PARAMETERS = 200;
const MAX_ARRAY = 100;

const NAMELESS = /(?:^|&)=/;
const REFUSED_NAME = /(?:^|[&[])(?:__proto__|constructor|prototype)(?:[\]=&[]|$)/;

/** Parses the query of a raw URL into an object; `{}` when there is none. @throws ServiceError `invalid_query_params` */
export function readQuery(rawUrl: string): Record<string, unknown> {
  const start = rawUrl.indexOf('?');
  if (start === -1 || start === rawUrl.length - 1) return {};
  const text = rawUrl.slice(start + 1);
  const decoded = decode(text);
  if (decoded.includes('\0')) throw unreadable('invalid_characters', 'a parameter must not contain U+0000');
  // qs would silently drop these parameters.
  if (NAMELESS.test(text)) throw unreadable('invalid_key', 'a parameter must have a name');
  if (REFUSED_NAME.test(decoded)) throw unreadable('invalid_key', 'a parameter may not have this name');
  return parse(text);
}

/**
 * Returns the parameters that are single strings. Providers may add others; repeated and nested ones are ignored (RFC 6749
 * §3.1).
 */
export function textsIn(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(query).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  return Object.fromEntries(entries);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unreadable('invalid_encoding', 'a percent sign must begin an encoded UTF-8 character');
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return qs.parse(text, {
      depth: MAX_DEPTH,
      strictDepth: true,
      parameterLimit: MAX_PARAMETERS,
      arrayLimit: MAX_ARRAY,
      throwOnLimitExceeded: true,
      // Without a prototype every name is an ordinary one; "allowPrototypes: false" would silently drop names such as `toString`.
      plainObjects: true,
    });
  } catch {
    throw unreadable('too_big', `a query may have at most ${MAX_PARAMETERS} parameters, nested at most ${MAX_DEPTH} levels deep`);
  }
}

function unreadable(code: string, message: string) {
  return inputError('invalid_query_params', [{ code, message, path: [] }]);
}
