import { type Permission, permissionOf } from '../../tenants/members/permissions.ts';
import { isStream, type PlainRoute, type Route, takesBody } from '../route.ts';
import type { Operation } from './model.ts';
import { parametersOf } from './parameters.ts';
import { responsesOf } from './responses.ts';
import type { SchemaRegistry } from './schemas.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const STREAM_METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];
const STREAMED_BODY = { required: false, content: { '*/*': {} } };
const STREAMED_RESPONSE = { description: 'The response of the provider, as sent.' };

/** The operations of a route, by method. Those of a stream have names that begin with the route's. */
export function operationsOf<S>(route: Route<S>, schemas: SchemaRegistry): Record<string, Operation> {
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

function requestBodyOf<S>(route: PlainRoute<S>, schemas: SchemaRegistry): Pick<Operation, 'requestBody'> {
  if (!takesBody(route)) return {};
  const { body, bodyExample, formExample, isRaw, upload } = route;
  const example = bodyExample !== undefined && { example: bodyExample };
  if (formExample !== undefined) {
    const schema = { type: 'object', additionalProperties: { type: 'string' } };
    return { requestBody: { required: true, content: { [FORM_TYPE]: { schema, example: formExample } } } };
  }
  // Any type is accepted; most senders send JSON.
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

type Description = Pick<Operation, 'summary' | 'tags' | 'deprecated' | 'description' | 'security' | 'x-svc-scope'>;

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
