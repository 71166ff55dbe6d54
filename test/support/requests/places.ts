import type { ApiRequest } from './api-request.ts';
import { type ApiOperation, resolve } from './operations.ts';
import type { Json, Schema } from './schema-values.ts';

/** A place in a request where a caller can put a text. */
export interface Place {
  readonly in: 'path' | 'query' | 'header' | 'body';
  /** The names of the parameter, header or fields that lead to the place, the outermost first. */
  readonly at: readonly string[];
  /** `name` if the text becomes the name of a field, in an object whose field names callers choose. */
  readonly as: 'value' | 'name';
}

/** Returns every place of a request, including those of optional parameters that this request lacks. */
export function placesOf(operation: ApiOperation, request: ApiRequest): readonly Place[] {
  const parameters = operation.parameters.flatMap(({ name, in: place, schema }): Place[] => {
    const isObject = resolve(schema).type === 'object';
    if (!isObject) return [{ in: place, at: [name], as: 'value' }];
    return [
      { in: place, at: [name, 'key'], as: 'value' },
      { in: place, at: [name], as: 'name' },
    ];
  });
  const headers = Object.keys(request.headers).map((name): Place => ({ in: 'header', at: [name], as: 'value' }));
  const body = operation.body === undefined || request.body === undefined ? [] : placesIn(request.body, operation.body);
  return [...parameters, ...headers, ...body];
}

/** Returns a copy of the request with the text in one place. */
export function withText(request: ApiRequest, place: Place, text: string): ApiRequest {
  return withValue(request, place, text);
}

export function withValue(request: ApiRequest, { in: where, at, as }: Place, value: Json): ApiRequest {
  const path = as === 'name' ? [...at, String(value)] : at;
  const put = as === 'name' ? 'x' : value;
  switch (where) {
    case 'path':
      return { ...request, path: { ...request.path, [at[0] ?? '']: String(value) } };
    case 'header':
      return { ...request, headers: { ...request.headers, [at[0] ?? '']: headerText(String(value)) } };
    case 'query':
      return { ...request, query: copyWith(request.query, path, put) as ApiRequest['query'] };
    case 'body':
      return { ...request, body: copyWith(request.body ?? {}, path, put) };
  }
}

export function nameOfPlace({ in: where, at, as }: Place): string {
  return `${where} ${at.join('.')}${as === 'name' ? '.*' : ''}`;
}

/**
 * Returns a header value with the UTF-8 bytes of a text as its characters, which is how HTTP clients accept them. Control
 * characters, which no client sends, become question marks.
 */
function headerText(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '?');
}

function placesIn(value: Json, given: Schema, at: readonly string[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return [{ in: 'body', at, as: 'value' }];
  const schema = resolve(given);
  const members = Object.entries(value).flatMap(([name, member]) => placesIn(member, partOf(schema, name), [...at, name]));
  const isOpen = !Array.isArray(value) && typeof schema['additionalProperties'] === 'object';
  return isOpen ? [...members, { in: 'body', at, as: 'name' }] : members;
}

/** Returns the schema of a field. If the object has alternative schemas, the first that has the field is used. */
export function partOf(given: Schema, name: string): Schema {
  const schema = resolve(given);
  for (const branch of [schema, ...alternatives(schema)]) {
    const part = branch.properties?.[name] ?? branch['items'] ?? branch['additionalProperties'];
    if (typeof part === 'object' && part !== null) return part as Schema;
  }
  return {};
}

function alternatives(schema: Schema): Schema[] {
  return [schema['anyOf'], schema['oneOf'], schema['allOf']]
    .flatMap((list) => (Array.isArray(list) ? (list as Schema[]) : []))
    .map(resolve)
    .flatMap((branch) => [branch, ...alternatives(branch)]);
}

function copyWith(value: Json, path: readonly string[], put: Json): Json {
  const [name, ...rest] = path;
  if (name === undefined) return put;
  const container: Json = typeof value === 'object' && value !== null ? structuredClone(value) : {};
  const before = Object.getOwnPropertyDescriptor(container, name)?.value;
  const member = { value: copyWith(before ?? {}, rest, put), enumerable: true, writable: true, configurable: true };
  return Object.defineProperty(container, name, member) as Json;
}
