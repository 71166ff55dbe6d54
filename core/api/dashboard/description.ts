import { openApiDocument } from '../../server/openapi/document.ts';
import type { OpenApiDocument } from '../../server/openapi/model.ts';
import { dashboardRoutes } from '../routes.ts';

/** The private interface, as OpenAPI. `ui/dashboard/app/api-types.ts` is made of it. */
export function dashboardDocument(baseUrl: string): OpenApiDocument {
  return openApiDocument(dashboardRoutes, baseUrl);
}
