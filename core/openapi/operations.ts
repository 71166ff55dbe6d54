import type { PlainRoute, Route, StreamSpec } from '../http/route.ts';
import { DEFAULT_PARAMS, NO_QUERY } from '../http/router.ts';
import type { Operation, Parameter } from './model.ts';
import { responsesOf } from './responses.ts';
import type { SchemaBook } from './schemas.ts';

const STREAM_METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;

export function plainOperation<S>(route: PlainRoute<S>, book: SchemaBook): Record<string, Operation> {
  const operationId = nameOf(route.method.toLowerCase(), route.path);
  const parameters = [...pathParameters(route, book), ...queryParameters(route, book)];
  const operation = {
    operationId,
    ...described(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse(undefined).success,
        content: { 'application/json': { schema: book.translate(route.body, 'input', `${operationId}Body`) } },
      },
    }),
    responses: responsesOf(route, book, operationId),
  };
  return { [route.method.toLowerCase()]: operation };
}

export function streamOperations<S>(route: StreamSpec<S>, book: SchemaBook): Record<string, Operation> {
  const parameters: Parameter[] = [{ name: 'path', in: 'path', required: true, schema: { type: 'string' } }];
  const operations = STREAM_METHODS.map((method) => {
    const operationId = nameOf(method, route.path);
    const responses = {
      ...responsesOf(route, book, operationId),
      default: { description: 'What the other side answered, as sent.' },
    };
    const requestBody = { required: false, content: { '*/*': {} } };
    const takesBody = !['get', 'head', 'options'].includes(method);
    return [method, { operationId, ...described(route), parameters, ...(takesBody && { requestBody }), responses }] as const;
  });
  return Object.fromEntries(operations);
}

function described<S>({
  summary,
  tag,
  access,
}: Route<S>): Pick<Operation, 'summary' | 'tags' | 'description' | 'security' | 'x-svc-scope'> {
  const common = { summary, tags: [tag] };
  if (access === 'public') return { ...common, security: [] };
  if ('session' in access)
    return { ...common, description: 'Needs the token of a connect session.', security: [{ connectSession: [] }] };
  const orSession = access.orSession ? ', or the token of a connect session' : '';
  return {
    ...common,
    description: `Needs a key with the scope \`${access.scope}\`${orSession}.`,
    security: [{ apiKey: [] }, ...(access.orSession ? [{ connectSession: [] }] : [])],
    'x-svc-scope': access.scope,
  };
}

function pathParameters<S>(route: PlainRoute<S>, book: SchemaBook): Parameter[] {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const { properties = {} } = book.translate(route.params ?? DEFAULT_PARAMS, 'input', `${nameOf('path', route.path)}`);
  return names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: properties[name] ?? { type: 'string', minLength: 1, maxLength: 255 },
  }));
}

function queryParameters<S>(route: PlainRoute<S>, book: SchemaBook): Parameter[] {
  const { properties = {}, required = [] } = book.translate(route.query ?? NO_QUERY, 'input', `${nameOf('query', route.path)}`);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    // tags[key]=value
    ...(schema.type === 'object' && { style: 'deepObject', explode: true }),
  }));
}

function nameOf(method: string, path: string): string {
  return method + path.replaceAll(/[:/_.-]+(\w)/g, (_, letter: string) => letter.toUpperCase());
}
