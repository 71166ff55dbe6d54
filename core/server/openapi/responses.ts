import { isInEnvironment, isRepeatable, isStream, type ResponseSpec, type Route, takesBody } from '../route.ts';
import { errorExampleName } from './errors.ts';
import type { Content, ResponseObject } from './model.ts';
import type { SchemaRegistry } from './schemas.ts';

/** The declared responses and the errors that are sent before and around every handler. */
export function responsesOf<S>(route: Route<S>, schemas: SchemaRegistry): Record<string, ResponseObject> {
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
  // Errors before and around a handler are JSON, whatever the handler declares.
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
