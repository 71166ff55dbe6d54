import { type JsonObject, valueAt } from '#contract';
import type { FlowEnd, ModeInput } from './auth-mode.ts';

/** Of a string that becomes `connection_config`: long enough for a URL. */
const MAX_KEPT_LENGTH = 2048;

/** The parameters of the callback that the definition keeps (`redirect_uri_metadata`). */
export function keptQuery({ definition }: Pick<ModeInput, 'definition'>, query: FlowEnd['query']): JsonObject {
  const names = definition.redirect_uri_metadata ?? [];
  return Object.fromEntries(names.flatMap((name) => (isKeepable(query[name]) ? [[name, query[name]]] : [])));
}

/**
 * The fields of a token response that the definition keeps (`token_response_metadata`), each under its whole path, which is the
 * name that templates use.
 */
export function keptFields({ definition }: Pick<ModeInput, 'definition'>, raw: JsonObject): JsonObject {
  const paths = definition.token_response_metadata ?? [];
  return Object.fromEntries(
    paths.flatMap((path) => {
      const value = valueAt(raw, path);
      return isKeepable(value) ? [[path, value]] : [];
    }),
  );
}

/**
 * Strings that `jsonb` cannot hold (PostgreSQL documentation, 8.14) and very long ones are left out: they must not fail the
 * authorization.
 */
function isKeepable(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value.length <= MAX_KEPT_LENGTH && value.isWellFormed() && !value.includes('\0');
  return typeof value === 'number' || typeof value === 'boolean';
}
