import type { SeededRandom } from '../seeded-random.ts';
import { words } from '../words.ts';
import type { ApiRequest } from './api-request.ts';
import { INJECTIONS } from './injections.ts';
import { type Names, nameFor } from './names.ts';
import { type ApiOperation, resolve } from './operations.ts';
import { type Place, placesOf, withValue } from './places.ts';
import { type Json, valueFor } from './schema-values.ts';

/** The probability that a name in a random request is that of something that exists. */
const KNOWN_SHARE = 0.8;
const MAX_MUTATIONS = 3;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'] as const;
const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  '',
  'a/b/c',
] as const;
const ODD_VALUES = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  -1e-7,
  2 ** 53,
  [],
  {},
  [[]],
  [null],
  [1, 'a', {}],
  { a: {} },
  { '': '' },
];
const ODD_TEXTS = ['', ' ', '0', 'null', 'x'.repeat(256), 'x'.repeat(70_000), '\u0000', '\ud800', '🦊', '٣', '\u202e'];
const ODD: readonly Json[] = [...ODD_VALUES, { $ne: null }, ...ODD_TEXTS];

/** Returns a random request that the schemas allow. */
export function validRequest(operation: ApiOperation, names: Names, random: SeededRandom): ApiRequest {
  const path: Record<string, string> = {};
  const query: Record<string, Json> = {};
  const byName = (member: string) => (random.next() < KNOWN_SHARE ? nameFor(names, member, operation.template) : undefined);
  const choices = { random, resolve, byName, optional: 0.5 };
  for (const { name, in: place, required, schema } of operation.parameters) {
    if (place === 'path') path[name] = String(valueFor(schema, choices, { member: name, depth: 0 }));
    if (place === 'query' && (required || random.below(3) === 0))
      query[name] = valueFor(schema, choices, { member: name, depth: 0 });
  }
  const headers = operation.isStream ? proxyHeaders(names, random) : {};
  const body = operation.body === undefined ? undefined : valueFor(operation.body, choices, { member: '', depth: 0 });
  return { method: operation.method, template: operation.template, path, query, headers, body };
}

/** Returns a valid request in which a few fields, parameters or headers have odd values or are added or left out. */
export function nearlyValidRequest(operation: ApiOperation, names: Names, random: SeededRandom): ApiRequest {
  let request = validRequest(operation, names, random);
  for (let count = 1 + random.below(MAX_MUTATIONS); count > 0; count -= 1) request = mutated(operation, request, random);
  return request;
}

/** A request to the path of a route, filled with random bytes that need not make any sense. */
export interface Garbage {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

export function garbage(operation: ApiOperation, random: SeededRandom): Garbage {
  const path = operation.template.replaceAll(/\{\w+\}/g, () => escaped(random));
  const query = random.below(2) === 0 ? '' : `?${Array.from({ length: 1 + random.below(4) }, () => queryPart(random)).join('&')}`;
  const hasBody = random.below(2) === 0;
  return {
    method: random.below(3) === 0 ? random.pick(METHODS) : operation.method,
    target: `${path}${random.below(10) === 0 ? escaped(random) : ''}${query}`,
    headers: {
      'content-type': random.pick(TYPES),
      [`x-${random.below(100)}`]: latin(random),
      accept: random.pick(['*/*', 'text/html', '']),
    },
    body: hasBody ? garbageBody(random) : undefined,
  };
}

function mutated(operation: ApiOperation, request: ApiRequest, random: SeededRandom): ApiRequest {
  const places = placesOf(operation, request);
  const further: Place[] = [
    { in: 'query', at: [`q${random.below(9)}`], as: 'value' },
    ...(request.body === undefined ? [] : [{ in: 'body', at: [`b${random.below(9)}`], as: 'value' } as const]),
  ];
  const place = [...places, ...further][random.below(places.length + further.length)];
  if (place === undefined) return request;
  if (random.below(8) === 0) return without(request, place);
  return withValue(
    request,
    place,
    random.below(2) === 0 ? random.pick(ODD) : (INJECTIONS[random.below(INJECTIONS.length)] ?? ''),
  );
}

/** Returns the request without the place, that is, without the parameter, header or outermost body field that contains it. */
function without(request: ApiRequest, { in: where, at }: Place): ApiRequest {
  const [name = ''] = at;
  if (where === 'query') return { ...request, query: dropped(request.query, name) };
  if (where === 'header') return { ...request, headers: dropped(request.headers, name) };
  const { body } = request;
  if (where !== 'body' || typeof body !== 'object' || body === null) return request;
  return { ...request, body: dropped(Object.fromEntries(Object.entries(body)), name) };
}

function dropped<T extends Json>(members: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(members).filter(([one]) => one !== name));
}

function proxyHeaders(names: Names, random: SeededRandom): Record<string, string> {
  return {
    'provider-config-key': names.integration,
    'connection-id': names.connectionId,
    ...(random.below(4) === 0 && { retries: String(random.below(2)) }),
    ...(random.below(4) === 0 && { 'retry-on': random.pick(['500', '429,503', 'x', '']) }),
    ...(random.below(4) === 0 && { 'base-url-override': random.pick(['', 'https://api.example', 'http://127.0.0.1', 'x']) }),
    ...(random.below(4) === 0 && { decompress: random.pick(['true', 'false', 'maybe']) }),
    ...(random.below(4) === 0 && { 'svc-proxy-accept': 'text/plain' }),
  };
}

function queryPart(random: SeededRandom): string {
  const name = random.pick([...words`tags tags[a] tags[a][b] limit cursor params[x] __proto__ a[] [] include [a]=b&`, '']);
  return `${name}${random.pick(['=', '==', ''])}${escaped(random)}`;
}

/** Returns valid and broken percent escapes between characters that a request target may contain. */
function escaped(random: SeededRandom): string {
  const part = () => random.pick([...words`a 1 . .. - %20 % %zz %00 %ff %f0%9f%a6%8a %2f %5c ; + ~ : @ ,`, '$']);
  return Array.from({ length: 1 + random.below(6) }, part).join('');
}

/** Returns a random header value without control characters or characters above U+00FF. */
function latin(random: SeededRandom): string {
  return random
    .bytes(random.below(40))
    .toString('latin1')
    .replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '');
}

function garbageBody(random: SeededRandom): Buffer {
  const text = () => random.pick([...words`{ } [ ] " : , a 0 - e . \ \u null true {"a": "\ud800" é`, ' ', '\n']);
  if (random.below(3) === 0) return random.bytes(random.below(200));
  return Buffer.from(Array.from({ length: random.below(60) }, text).join(''));
}
