import type { FieldFault, ProviderDefinition } from '#contract';
import { isHeaderValue } from '../kit/header-syntax.ts';
import { askedCredentials } from './asked-credentials.ts';

/** Matches a base64 expression: whatever it encodes, base64 has no line breaks and only characters that a header may have. */
const ENCODED = /\bbase64\([^()]*\)/g;
const CREDENTIAL = /\$\{(?:credentials\.)?([\w-]+)\}/g;
/** The bearer tokens of the auth modes, by field. */
const BEARERS = ['access_token', 'token'] as const;

/**
 * Returns the faults of credentials that would become part of a header but hold characters that none may have (RFC 9110 §5.5): line
 * breaks, except in a key of several lines, whose field says `multiline`; typographic quotes and other characters that come with
 * pasting.
 *
 * @param values the entered or imported values by their names
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
  // In a query the key is encoded.
  const isInQuery = proxy?.api_key?.in === 'query';
  return new Set([...BEARERS, ...(isInQuery ? [] : ['apiKey']), ...names]);
}
