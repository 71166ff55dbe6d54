import { publicRoutes } from '../../../core/api/routes.ts';
import { openApiDocument } from '../../../core/server/openapi/document.ts';
import type { OpenApiDocument, Parameter } from '../../../core/server/openapi/model.ts';
import { type Access, type ApiAccess, isStream } from '../../../core/server/route.ts';
import type { Schema } from './schema-values.ts';

/**
 * A registered route, as the route's own description defines it. Tests that iterate over these operations also cover every route
 * that is added later.
 */
export interface ApiOperation {
  /** The name, such as `POST /connect/sessions`. */
  readonly name: string;
  readonly method: string;
  /** The path template, such as `/connections/{connection_id}`. */
  readonly template: string;
  readonly access: ApiAccess;
  readonly isStream: boolean;
  /** True if the route takes any bytes and any query. */
  readonly isRaw: boolean;
  readonly takesForm: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly bodyExample: unknown;
}

/** The OpenAPI description of every registered route, as `/openapi.json` returns it. */
export const apiDocument: OpenApiDocument = openApiDocument(publicRoutes, 'http://127.0.0.1');

/** Every registered route. A stream route, which accepts every method, is listed once, as GET. */
export const apiOperations: readonly ApiOperation[] = publicRoutes.map((route) => {
  const template = isStream(route) ? `${route.path}/{path}` : route.path.replaceAll(/:(\w+)/g, '{$1}');
  const method = isStream(route) ? 'GET' : route.method;
  const described = apiDocument.paths[template]?.[method.toLowerCase()];
  if (described === undefined) throw new Error(`${method} ${template} is not in the document`);
  return {
    name: `${route.method} ${route.path}`,
    method,
    template,
    access: apiAccess(route.access),
    isStream: isStream(route),
    isRaw: !isStream(route) && route.isRaw === true,
    takesForm: described.requestBody?.content['application/x-www-form-urlencoded'] !== undefined,
    parameters: described.parameters ?? [],
    body: described.requestBody?.content['application/json']?.schema,
    bodyExample: isStream(route) ? undefined : route.bodyExample,
  };
});

/** Returns which credential a route requires. @throws for a route of the dashboard, which must not be in the public list */
function apiAccess(access: Access): ApiAccess {
  if (typeof access === 'object' && 'dashboard' in access) throw new Error('a route of the dashboard is in the public interface');
  return access;
}

/** Returns the schema in `apiDocument` that a `$ref` refers to, or the schema itself if it is not a reference. */
export const resolve = (schema: Schema): Schema => resolveIn(apiDocument, schema);

export function resolveIn(document: OpenApiDocument, schema: Schema): Schema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const found = document.components.schemas[reference.replace('#/components/schemas/', '')];
  if (found === undefined) throw new Error(`${reference} leads nowhere`);
  return resolveIn(document, found);
}
