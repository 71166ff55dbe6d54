const PLACEHOLDER = /\$\{([^{}]*)\}/g;
const BASE64_OR_PLACEHOLDER = /\bbase64\(((?:\$\{[^{}]*\}|[^()$]|\$(?!\{))*)\)|\$\{([^{}]*)\}/g;
const SCHEME = /^https?:\/\//i;
// RFC 1123 §2.1
const HOST_LABELS = /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i;
const ONLY_DOTS = /^\.*$/;
const BREAKS_A_HEADER = /[\r\n\0]/;

/** Values by full name, such as `connectionConfig.subdomain` or `accessToken`. Only own properties count. */
export type TemplateValues = Readonly<Record<string, string>>;

/** The error for a template that cannot be filled. The message names the placeholder, never a value. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly placeholder: string;
  readonly reason: 'missing' | 'invalid';

  constructor(placeholder: string, reason: TemplateError['reason']) {
    super(
      reason === 'missing' ? `there is no value for \${${placeholder}}` : `the value of \${${placeholder}} is not allowed there`,
    );
    this.placeholder = placeholder;
    this.reason = reason;
  }
}

/**
 * Fills a URL template. A value is checked or escaped according to the part of the URL that it is in, and placeholders in a value
 * are not filled.
 *
 * In the authority, only host labels are allowed, so that no port or userinfo can slip in. In path, query and fragment, values
 * are percent-encoded; a path segment of dots is refused, since the URL parser would go up a level (RFC 3986 §5.2.4). A
 * placeholder at the very beginning must hold an absolute http(s) URL; what follows it is appended to its path.
 *
 * @throws TemplateError for a value that is missing, or not allowed in its part of the URL
 */
export function fillUrl(template: string, values: TemplateValues): URL {
  const [first] = template.matchAll(PLACEHOLDER);
  if (first?.index !== 0) return parseUrl(fillParts(template, values), first?.[1] ?? template);

  const [whole, name = ''] = first;
  const rest = template.slice(whole.length);
  const base = baseUrl(name, values);
  if (rest === '') return base;
  if (base.search !== '' || !/^[/?#]/.test(rest)) throw new TemplateError(name, 'invalid');

  const start = base.origin + base.pathname.replace(/(?<!\/)\/+$/, '');
  return parseUrl(start + fillParts(rest, values, 'path'), name);
}

/**
 * Fills a header or another plain text. For `base64(…)`, the content of the parentheses is filled first, then encoded.
 *
 * @throws TemplateError `invalid` for a value with CR, LF or NUL, which could end a header (RFC 9110 §5.5)
 */
export function fillText(template: string, values: TemplateValues): string {
  return template.replace(BASE64_OR_PLACEHOLDER, (_, inner: string | undefined, name: string | undefined) =>
    inner === undefined ? textValue(name ?? '', values) : Buffer.from(fillText(inner, values), 'utf8').toString('base64'),
  );
}

/** Returns the names of the placeholders in a template, each once, in order. */
export function placeholdersOf(template: string): readonly string[] {
  return [...new Set(Array.from(template.matchAll(PLACEHOLDER), ([, name = '']) => name))];
}

type UrlPlace = 'scheme' | 'authority' | 'path' | 'query';

function fillParts(template: string, values: TemplateValues, startsIn: UrlPlace = 'scheme'): string {
  let place = startsIn;
  let filled = '';
  let readTo = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    const literal = template.slice(readTo, match.index);
    place = placeOf(literal, place);
    filled += literal + escapeFor(place, match[1] ?? '', values);
    readTo = match.index + match[0].length;
  }
  return filled + template.slice(readTo);
}

/**
 * Returns the part of the URL in which a literal piece of the template ends, given the part in which it begins. Only literal text
 * can begin another part, never a value.
 */
function placeOf(literal: string, from: UrlPlace): UrlPlace {
  const scheme = from === 'scheme' ? SCHEME.exec(literal) : undefined;
  if (scheme === null) return 'scheme';
  if (from === 'query' || /[?#]/.test(literal)) return 'query';
  const behindScheme = literal.slice(scheme?.[0].length ?? 0);
  return from === 'path' || /[/\\]/.test(behindScheme) ? 'path' : 'authority';
}

function escapeFor(place: UrlPlace, name: string, values: TemplateValues): string {
  const value = ownValue(name, values);
  const fits = { scheme: false, authority: HOST_LABELS.test(value), path: !ONLY_DOTS.test(value), query: true }[place];
  if (!fits || !value.isWellFormed()) throw new TemplateError(name, 'invalid');
  return place === 'authority' ? value : encodeURIComponent(value);
}

function baseUrl(name: string, values: TemplateValues): URL {
  const value = ownValue(name, values);
  // The URL parser would accept `https:host`, and would remove tabs; here, only an obviously absolute URL is accepted.
  if (!/^https?:\/\/[^/\\\s]/i.test(value) || value.includes('#')) throw new TemplateError(name, 'invalid');
  return parseUrl(value, name);
}

function parseUrl(text: string, placeholder: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new TemplateError(placeholder, 'invalid');
  }
  return url;
}

function textValue(name: string, values: TemplateValues): string {
  const value = ownValue(name, values);
  if (BREAKS_A_HEADER.test(value)) throw new TemplateError(name, 'invalid');
  return value;
}

function ownValue(name: string, values: TemplateValues): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) throw new TemplateError(name, 'missing');
  return value;
}
