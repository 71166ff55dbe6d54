import { proxied } from '../../components/snippets/calls.ts';
import { LANGUAGES } from '../../components/snippets/languages.ts';
import type { FullLogEntry } from './log-entry.ts';

/** Returns a proxied call as a command, without its query and body, which are not kept; undefined for other log entries. */
export function asCurl(entry: FullLogEntry, baseUrl: string): string | undefined {
  const { type, messages, provider_config_key: integration, connection_id: connectionId } = entry;
  const call = messages.map(({ facts }) => facts).find(isCall);
  if (type !== 'proxy' || call === undefined || integration === null || connectionId === null) return undefined;
  const values = { baseUrl, integration, connectionId, path: call.path.replace(/^\/proxy(?=\/)/, '') };
  return LANGUAGES.curl(proxied(values, { method: call.method, headers: {} }), values);
}

function isCall(facts: Readonly<Record<string, unknown>>): facts is { readonly method: string; readonly path: string } {
  return typeof facts['method'] === 'string' && typeof facts['path'] === 'string';
}
