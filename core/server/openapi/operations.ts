import * as z from 'zod';
import { environmentName } from '../../tenants/environments/environment-name.ts';
import { type Permission, permissionOf } from '../../tenants/members/permissions.ts';
import { MAX_IDEMPOTENCY_KEY } from '../repeatable-call.ts';
import {
  IN_ENVIRONMENT,
  isInEnvironment,
  isRepeatable,
  isStream,
  type PlainRoute,
  type ResponseSpec,
  type Route,
  takesBody,
} from '../route.ts';
import { NO_QUERY, PATH_PARAM } from '../router.ts';
import { errorExampleName } from './errors.ts';
import type { Content, OpenApiOperation, Parameter, ResponseObject } from './model.ts';
import type { JsonSchema, SchemaRegistry } from './schemas.ts';

const ENVIRONMENT = z.strictObject({
  env: environmentName.meta({ description: 'the name of an environment', example: 'dev' }),
});
/** The path parameter for everything that follows the path of a stream. */
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

const FORM_TYPE = 'application/x-www-form-urlencoded';
const STREAM_METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];
const STREAMED_BODY = { required: false, content: { '*/*': {} } };
const STREAMED_RESPONSE = { description: 'The response of the provider, as sent.' };

/** Returns the operations of a route, by method. For a stream, their IDs begin with the route's. */
export function operationsOf<S>(route: Route<S>, schemas: SchemaRegistry): Record<string, OpenApiOperation> {
  const parameters = parametersOf(route, schemas);
  const common = { ...described(route), ...(parameters.length > 0 && { parameters }) };
  const responses = responsesOf(route, schemas);
  if (!isStream(route)) {
    const method = route.method.toLowerCase();
    const operationId = route.operationId ?? nameOf(method, route.path);
    return { [method]: { operationId, ...common, ...requestBodyOf(route, schemas), responses } };
  }
  const operations = STREAM_METHODS.map((method) => {
    const operationId = nameOf(route.operationId ?? route.path.slice(1), `/${method}`);
    const body = ['get', 'head', 'options'].includes(method) ? {} : { requestBody: STREAMED_BODY };
    return [method, { operationId, ...common, ...body, responses: { ...responses, default: STREAMED_RESPONSE } }];
  });
  return Object.fromEntries(operations);
}

function requestBodyOf<S>(route: PlainRoute<S>, schemas: SchemaRegistry): Pick<OpenApiOperation, 'requestBody'> {
  if (!takesBody(route)) return {};
  const { body, bodyExample, formExample, isRaw, upload } = route;
  const example = bodyExample !== undefined && { example: bodyExample };
  if (formExample !== undefined) {
    const schema = { type: 'object', additionalProperties: { type: 'string' } };
    return { requestBody: { required: true, content: { [FORM_TYPE]: { schema, example: formExample } } } };
  }
  // Any media type is accepted; most senders send JSON.
  if (isRaw) return { requestBody: { required: false, content: { 'application/json': { schema: {}, ...example }, '*/*': {} } } };
  if (upload !== undefined) {
    const schema = {
      type: 'object',
      properties: { [upload.field]: { type: 'string', format: 'binary' } },
      required: [upload.field],
    };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (body === undefined) return {};
  const content = { 'application/json': { schema: schemas.translate(body, 'input'), ...example } };
  return { requestBody: { required: !body.safeParse(undefined).success, content } };
}

function needs({ role, inProduction, confirmed }: Permission): string {
  const production = inProduction === undefined ? '' : `, in production ${inProduction}`;
  const fresh = confirmed === undefined ? '' : `; ${confirmed === 'always' ? '' : `${confirmed} `}with a fresh confirmation`;
  return `Needs the role ${role}${production}${fresh}.`;
}

type Description = Pick<OpenApiOperation, 'summary' | 'tags' | 'deprecated' | 'description' | 'security' | 'x-svc-scope'>;

function described<S>({ summary, tag, deprecated, access }: Route<S>): Description {
  const common = { summary, tags: [tag], ...(deprecated && { deprecated }) };
  if (access === 'public') return { ...common, security: [] };
  if ('dashboard' in access) {
    if (access.dashboard === 'anyone') return { ...common, security: [] };
    return { ...common, description: needs(permissionOf(access.dashboard)), security: [{ memberSession: [] }] };
  }
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

function parametersOf<S>(route: Route<S>, schemas: SchemaRegistry): Parameter[] {
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

/**
 * Converts the properties of a schema to parameters. Description and example move to the parameter, where readers and tools look
 * for them.
 */
function membersOf({ properties = {}, required = [] }: JsonSchema, place: Parameter['in']): Parameter[] {
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
    // For example `tags[key]=value`.
    ...(schema['type'] === 'object' && { style: 'deepObject', explode: true }),
    ...(examples !== undefined && { example: examples[0] }),
  }));
}

/** Returns the declared responses and the errors that can be sent before and around every handler. */
function responsesOf<S>(route: Route<S>, schemas: SchemaRegistry): Record<string, ResponseObject> {
  const declared: Record<string, ResponseSpec> = route.responses;
  const errorPage = !isStream(route) && route.errorPage !== undefined && { 'text/html': {} };
  const responses = Object.entries({ ...automaticErrors(route), ...declared }).map(([code, spec]) => {
    const status = Number(code);
    const content = contentOf(status, spec, schemas);
    const common = { description: spec.description, headers: headersOf(status, spec) };
    return [code, { ...common, ...(content && { content: { ...content, ...(status >= 400 && errorPage) } }) }];
  });
  return Object.fromEntries(responses);
}

function headersOf(status: number, { headers = {} }: ResponseSpec): object {
  const own = Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]);
  const isTemporary = status === 429 || status === 503;
  return {
    'Svc-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...(isTemporary && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
    ...Object.fromEntries(own),
  };
}

function contentOf(status: number, spec: ResponseSpec, schemas: SchemaRegistry): ResponseObject['content'] {
  const { schema, type, example } = spec;
  // Errors before and around a handler are JSON, whatever type the handler declares.
  const error = status >= 400 ? { 'application/json': errorContent(status) } : undefined;
  if (type !== undefined) return { [type.split(';')[0] ?? type]: {}, ...error };
  if (schema === undefined) return error;
  return { 'application/json': { schema: schemas.translate(schema, 'output'), ...(example !== undefined && { example }) } };
}

function errorContent(status: number): Content {
  return {
    schema: { $ref: '#/components/schemas/Error' },
    examples: { error: { $ref: `#/components/examples/${errorExampleName(status)}` } },
  };
}

function automaticErrors<S>(route: Route<S>): Record<string, ResponseSpec> {
  const credential = route.access !== 'public';
  const isRaw = !isStream(route) && route.isRaw === true;
  const isUpload = !isStream(route) && route.upload !== undefined;
  return {
    400: { description: 'The request is malformed, or contains something this endpoint does not accept.' },
    ...(credential && {
      401: { description: 'The credential is missing, malformed or unknown.' },
      403: { description: 'The credential does not allow this.' },
      429: { description: 'Too many requests; retry after `Retry-After` seconds.' },
    }),
    ...(isInEnvironment(route.path) && { 404: { description: 'The account has no such environment.' } }),
    ...(isRaw && {
      404: { description: 'The URL is unknown.' },
      429: { description: 'Too many requests; retry after `Retry-After` seconds.' },
    }),
    ...(!isStream(route) &&
      takesBody(route) && {
        408: { description: 'The body took too long to arrive.' },
        413: { description: 'The body is too large.' },
        415: {
          description: isRaw
            ? 'The content encoding of the body is not supported.'
            : `The content type of the body is not ${isUpload ? 'that of a form with a file' : 'JSON'}.`,
        },
      }),
    ...(!isStream(route) &&
      isRepeatable(route) && { 409: { description: 'The `Idempotency-Key` was used for another request.' } }),
    500: { description: 'The service failed.' },
    503: { description: 'The service is temporarily unavailable.' },
  };
}
