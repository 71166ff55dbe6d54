import qs from 'qs';
import type { Client, ClientResponse } from '../http-client.ts';
import type { Json } from './schema-values.ts';

/** A request split into parts, so that a test can replace the value in any `Place` of it. */
export interface ApiRequest {
  readonly method: string;
  /** The path template, such as `/connections/{connection_id}`. */
  readonly template: string;
  /** The values of the template's parameters, not encoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, Json>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
}

/** Returns the path, with its parameters filled in, and the query, both encoded. */
export function urlOf({ template, path, query }: Pick<ApiRequest, 'template' | 'path' | 'query'>): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(path[name] ?? '', name));
  const text = qs.stringify(query, { arrayFormat: 'repeat', strictNullHandling: true });
  return text === '' ? filled : `${filled}?${text}`;
}

export function sendRequest(client: Client, request: ApiRequest): Promise<ClientResponse> {
  const { method, headers, body } = request;
  return client.call(method, urlOf(request), { headers, body });
}

/**
 * Encodes the value of a path parameter. The parameter `{path}` of a stream may contain any number of segments, so its slashes
 * are kept.
 */
function encode(value: string, name: string): string {
  const parts = name === 'path' ? value.split('/') : [value];
  return parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/');
}
