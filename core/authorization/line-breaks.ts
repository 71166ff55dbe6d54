import type { FieldFault, ProviderDefinition } from '#contract';
import { askedCredentials } from '../auth-modes/asked-credentials.ts';

/** Base64 has no line breaks, whatever it encodes. */
const ENCODED = /\bbase64\([^()]*\)/g;
const CREDENTIAL = /\$\{(?:credentials\.)?([\w-]+)\}/g;

/**
 * Credentials with line breaks that would become part of a header (RFC 9110 §5.5). A key is one wherever the definition puts it; where
 * it has several lines, its field says `multiline`.
 */
export function checkLineBreaks(definition: ProviderDefinition, values: Readonly<Record<string, string>>): FieldFault[] {
  const fields = askedCredentials(definition);
  const inHeaders = namesInHeaders(definition);
  const wrong = Object.keys(values).filter(
    (name) => inHeaders.has(name) && fields[name]?.multiline !== true && /[\r\n]/.test(values[name] ?? ''),
  );
  return wrong.map((name) => {
    const message = `${fields[name]?.title ?? name} must be one line`;
    return { code: 'invalid_format', message, path: [name] };
  });
}

function namesInHeaders({ proxy, token_headers }: ProviderDefinition): ReadonlySet<string> {
  const templates = [proxy?.headers, proxy?.verification?.headers, token_headers].flatMap((headers) =>
    Object.values(headers ?? {}),
  );
  const names = templates.flatMap((template) =>
    Array.from(template.replace(ENCODED, '').matchAll(CREDENTIAL), ([, name = '']) => name),
  );
  return new Set(['apiKey', ...names]);
}
