import type { FieldFault, ProviderDefinition } from '#contract';
import { isHeaderValue } from '../kit/header-syntax.ts';
import { askedCredentials } from './asked-credentials.ts';

/**
 * Matches a base64 expression in a template. Values in it need no check, since base64 consists only of characters that a header
 * may have.
 */
const ENCODED = /\bbase64\([^()]*\)/g;
const CREDENTIAL = /\$\{(?:credentials\.)?([\w-]+)\}/g;
/** The fields in which the auth modes keep bearer tokens. */
const BEARERS = ['access_token', 'token'] as const;

/**
 * Returns the faults of values that would be sent in a header but contain characters that a header cannot (RFC 9110 §5.5), such
 * as typographic quotes, which come with pasting, and line breaks. A field with `multiline`, such as a PEM key, may have line
 * breaks.
 *
 * @param values the entered or imported values by the names of their fields
 */
export function checkSendable(definition: ProviderDefinition, values: Readonly<Record<string, string>>): FieldFault[] {
  const fields = askedCredentials(definition);
  const inHeaders = namesInHeaders(definition);
  return Object.entries(values).flatMap(([name, value]) => {
    const { title = name, multiline } = fields[name] ?? {};
    const lines = multiline ? value.replaceAll(/[\r\n]/g, '') : value;
    if (!inHeaders.has(name) || isHeaderValue(lines)) return [];
    const what = /[\r\n]/.test(lines) ? 'must be one line' : 'has a character that cannot be sent, such as a typographic quote';
    return [{ code: 'invalid_format', message: `${title} ${what}`, path: [name] }];
  });
}

function namesInHeaders({ proxy, token_headers }: ProviderDefinition): ReadonlySet<string> {
  const templates = [proxy?.headers, proxy?.verification?.headers, token_headers].flatMap((headers) =>
    Object.values(headers ?? {}),
  );
  const names = templates.flatMap((template) =>
    Array.from(template.replace(ENCODED, '').matchAll(CREDENTIAL), ([, name = '']) => name),
  );
  // A key that is sent in the query is encoded, so any characters are allowed.
  const isInQuery = proxy?.api_key?.in === 'query';
  return new Set([...BEARERS, ...(isInQuery ? [] : ['apiKey']), ...names]);
}
