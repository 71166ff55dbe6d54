import { openApiDocument } from '../../server/openapi/document.ts';
import type { OpenApiDocument } from '../../server/openapi/model.ts';
import { dashboardRoutes } from '../routes.ts';

/** Returns the private API as an OpenAPI document. `ui/dashboard/app/api-types.ts` is generated from it. */
export function dashboardDocument(baseUrl: string): OpenApiDocument {
  return openApiDocument(dashboardRoutes, baseUrl);
}
