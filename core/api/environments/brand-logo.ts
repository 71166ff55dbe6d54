import type { Knex } from 'knex';
import * as z from 'zod';
import { ServiceError } from '../../errors.ts';
import { defineRoute } from '../../server/route.ts';
import { LOGO_TYPES, type LogoType } from '../../tenants/environments/brand.ts';
import { brandLogo } from '../../tenants/environments/connect-settings-store.ts';
import { ENVIRONMENT } from '../examples.ts';

const FILE = /^([0-9a-f]{32})\.(png|webp)$/;
const TYPES: Readonly<Record<LogoType, string>> = { png: 'image/png', webp: 'image/webp' };

const read = defineRoute({
  method: 'GET',
  path: '/connect/brand/:environment_uuid/:logo',
  operationId: 'getBrandLogo',
  access: 'public',
  summary: 'Get the logo of an environment, for the pages on which its end users connect',
  tag: 'User interface',
  params: z.strictObject({
    environment_uuid: z.uuid().meta({ description: 'UUID of the environment', example: ENVIRONMENT.uuid }),
    logo: z
      .string()
      .regex(FILE)
      .meta({ description: 'hash and type, as in `brand.logo_url` of a session', example: `${'0'.repeat(32)}.png` }),
  }),
  responses: {
    200: { description: 'The logo: PNG or WebP.', type: TYPES.png },
    404: { description: 'This is not, or no longer, the logo of the environment.' },
  },
  async handle({ db }: { readonly db: Knex }, { params }) {
    const [, hash = '', extension] = FILE.exec(params.logo) ?? [];
    const type = LOGO_TYPES.find((known) => known === extension);
    const body = type && (await brandLogo(db, params.environment_uuid, { hash, type }));
    if (type === undefined || body === undefined) throw new ServiceError('not_found', 'there is no such logo');
    return { type: TYPES[type], body, headers: { 'cache-control': 'public, max-age=31536000, immutable' } };
  },
});

export const brandLogoRoutes = [read];
