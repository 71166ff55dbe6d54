import type { FieldFault, ProviderDefinition } from '#contract';
import { isHeaderValue } from '../kit/header-syntax.ts';
import { askedCredentials } from './asked-credentials.ts';

/** Base64 has no line breaks and no other characters than a header may have, whatever it encodes. */
const ENCODED = /\bbase64\([^()]*\)/g;
const CREDENTIAL = /\$\{(?:credentials\.)?([\w-]+)\}/g;
/** By their auth mode. */
const BEARERS = ['access_token', 'token'] as const;

/**
 * Credentials that would become part of a header, and hold what none may have (RFC 9110 §5.5): line breaks, except where a key has
 * several lines, which its field says by `multiline`; typographic quotes and others that come with pasting.
 *
 * @param values what was entered or imported, by its names there
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
  // In a query it is encoded.
  const isInQuery = proxy?.api_key?.in === 'query';
  return new Set([...BEARERS, ...(isInQuery ? [] : ['apiKey']), ...names]);
}
