import type { PlainRoute, Route, StreamSpec } from '../http/route.ts';
import type { Content, Operation } from './model.ts';
import { plainParameters, streamParameters } from './parameters.ts';
import { responsesOf } from './responses.ts';
import type { SchemaBook } from './schemas.ts';

const STREAM_METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;

export function plainOperation<S>(route: PlainRoute<S>, book: SchemaBook): Record<string, Operation> {
  const method = route.method.toLowerCase();
  const operationId = route.operationId ?? nameOf(method, route.path);
  const parameters = plainParameters(route, book, operationId);
  const operation = {
    operationId,
    ...described(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.isRaw && { requestBody: rawBody(route) }),
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse(undefined).success,
        content: { 'application/json': bodyContent(route, book.translate(route.body, 'input', `${operationId}Body`)) },
      },
    }),
    responses: responsesOf(route, book, operationId),
  };
  return { [method]: operation };
}

/** One operation for each method; their names begin with the route's. */
export function streamOperations<S>(route: StreamSpec<S>, book: SchemaBook): Record<string, Operation> {
  const operations = STREAM_METHODS.map((method) => {
    const operationId = nameOf(route.operationId ?? route.path.slice(1), `/${method}`);
    const responses = {
      ...responsesOf(route, book, operationId),
      default: { description: 'The response of the provider, as sent.' },
    };
    const parameters = streamParameters(route, book, operationId);
    const requestBody = { required: false, content: { '*/*': {} } };
    const takesBody = !['get', 'head', 'options'].includes(method);
    return [method, { operationId, ...described(route), parameters, ...(takesBody && { requestBody }), responses }] as const;
  });
  return Object.fromEntries(operations);
}

/** Whatever the sender likes; most send JSON. */
function rawBody<S>(route: PlainRoute<S>): NonNullable<Operation['requestBody']> {
  return { required: false, content: { 'application/json': bodyContent(route, {}), '*/*': {} } };
}

function bodyContent<S>({ bodyExample }: PlainRoute<S>, schema: Content['schema']): Content {
  return { ...(schema && { schema }), ...(bodyExample !== undefined && { example: bodyExample }) };
}

type Description = Pick<Operation, 'summary' | 'tags' | 'deprecated' | 'description' | 'security' | 'x-svc-scope'>;

function described<S>({ summary, tag, deprecated, access }: Route<S>): Description {
  const common = { summary, tags: [tag], ...(deprecated && { deprecated }) };
  if (access === 'public') return { ...common, security: [] };
  if ('session' in access) {
    const schemes = access.session === 'query' ? ['connectSessionInQuery', 'publicKey'] : ['connectSession'];
    const security = schemes.map((scheme) => ({ [scheme]: [] }));
    return { ...common, description: 'Needs the token of a connect session.', security };
  }
  const orSession = access.orSession ? ', or the token of a connect session' : '';
  return {
    ...common,
    description: `Needs a key with the scope \`${access.scope}\`${orSession}.`,
    security: [{ apiKey: [] }, ...(access.orSession ? [{ connectSession: [] }] : [])],
    'x-svc-scope': access.scope,
  };
}

function nameOf(first: string, path: string): string {
  return first + path.replaceAll(/[:/_.-]+(\w?)/g, (_, letter: string) => letter.toUpperCase());
}
