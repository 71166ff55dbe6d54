import { MAX_IDEMPOTENCY_KEY } from '../http/repeatable-call.ts';
import type { PlainRoute, StreamSpec } from '../http/route.ts';
import { DEFAULT_PARAMS, NO_QUERY } from '../http/router.ts';
import type { Parameter } from './model.ts';
import type { JsonSchema, SchemaBook } from './schemas.ts';

/** Everything that follows a stream's own path. */
const REST: Parameter = {
  name: 'path',
  in: 'path',
  required: true,
  description: 'Everything that follows, with its slashes; a query belongs to it.',
  schema: { type: 'string' },
  example: 'user/repos',
};

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique value of your choice for each request: a retry within 24 hours changes nothing and gets the same response.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY },
  example: '6f1c2f0e-6d0f-4c1b-9a55-0d6b7a3f2c11',
};

/** @param operationId for schemas that need a name */
export function plainParameters<S>(route: PlainRoute<S>, book: SchemaBook, operationId: string): Parameter[] {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const { properties = {} } = book.translate(route.params ?? DEFAULT_PARAMS, 'input', `${operationId}Path`);
  const anyName = { type: 'string', minLength: 1, maxLength: 255 };
  return [
    ...names.map((name) => parameter({ name, in: 'path', required: true }, properties[name] ?? anyName)),
    ...membersOf(book.translate(route.query ?? NO_QUERY, 'input', `${operationId}Query`), 'query'),
    ...(route.writes === undefined ? [] : [IDEMPOTENCY_KEY]),
  ];
}

export function streamParameters<S>({ headers }: StreamSpec<S>, book: SchemaBook, operationId: string): Parameter[] {
  return headers === undefined
    ? [REST]
    : [REST, ...membersOf(book.translate(headers, 'input', `${operationId}Headers`), 'header')];
}

function membersOf({ properties = {}, required = [] }: JsonSchema, place: 'query' | 'header'): Parameter[] {
  return Object.entries(properties).map(([name, schema]) =>
    parameter({ name, in: place, required: required.includes(name) }, schema),
  );
}

/** Description and example stand at the parameter, where readers and tools look for them. */
function parameter(head: Pick<Parameter, 'name' | 'in' | 'required'>, whole: JsonSchema): Parameter {
  const { description, examples, ...schema } = whole;
  return {
    ...head,
    ...(description !== undefined && { description }),
    schema,
    // tags[key]=value
    ...(schema['type'] === 'object' && { style: 'deepObject', explode: true }),
    ...(examples !== undefined && { example: examples[0] }),
  };
}
