import * as z from 'zod';
import { environmentName } from '../../tenants/environments/environment-name.ts';
import { MAX_IDEMPOTENCY_KEY } from '../repeatable-call.ts';
import { IN_ENVIRONMENT, isInEnvironment, isRepeatable, isStream, type Route } from '../route.ts';
import { NO_QUERY, PATH_PARAM } from '../router.ts';
import type { Parameter } from './model.ts';
import type { JsonSchema, SchemaRegistry } from './schemas.ts';

const ENVIRONMENT = z.strictObject({
  env: environmentName.meta({ description: 'the name of an environment', example: 'dev' }),
});

/** Everything that follows a stream's own path. */
const REST: Parameter = {
  name: 'path',
  in: 'path',
  required: true,
  description: 'Everything that follows, with its slashes; a query belongs to it. May be left out with the slash before it.',
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

export function parametersOf<S>(route: Route<S>, schemas: SchemaRegistry): Parameter[] {
  if (isStream(route)) return [REST, ...membersOf(schemas.translate(route.headers ?? z.object(), 'input'), 'header')];
  const own = isInEnvironment(route.path) ? route.path.slice(IN_ENVIRONMENT.length) : route.path;
  const names = [...own.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const params = route.params ?? z.object(Object.fromEntries(names.map((name) => [name, PATH_PARAM])));
  return [
    ...(isInEnvironment(route.path) ? membersOf(schemas.translate(ENVIRONMENT, 'input'), 'path') : []),
    ...membersOf(schemas.translate(params, 'input'), 'path'),
    ...membersOf(schemas.translate(route.query ?? NO_QUERY, 'input'), 'query'),
    ...(isRepeatable(route) ? [IDEMPOTENCY_KEY] : []),
  ];
}

/** Description and example are moved to the parameter, where readers and tools look for them. */
function membersOf({ properties = {}, required = [] }: JsonSchema, place: Parameter['in']): Parameter[] {
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
    // tags[key]=value
    ...(schema['type'] === 'object' && { style: 'deepObject', explode: true }),
    ...(examples !== undefined && { example: examples[0] }),
  }));
}
