import * as z from 'zod';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { CONNECTIONS } from '../connections/connection-schemas.ts';
import type { ApiServices } from '../services.ts';

const read = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/company-logo/:domain',
  operationId: 'getCompanyLogo',
  access: { dashboard: 'read' },
  summary: 'Get the icon of a company to which end users of the environment belong',
  tag: CONNECTIONS,
  params: z.strictObject({
    domain: z
      .string()
      .min(1)
      .max(253)
      .meta({ description: 'domain of the end users’ e-mail addresses', example: 'acme.example' }),
  }),
  responses: {
    200: { description: 'The icon: a raster image of any usual type.', type: 'image/*' },
    204: { description: 'There is no icon, or no end user has an address of this domain.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    const environment = environmentInPath(caller);
    const logo = await services.companyLogos.find(environment.id, params.domain);
    if (logo === undefined) return { status: 204 };
    return { type: logo.type, body: logo.image, headers: { 'cache-control': 'private, max-age=86400' } };
  },
});

export const companyLogoRoutes = [read];
