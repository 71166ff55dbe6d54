import * as z from 'zod';
import { CONNECTION_STATES } from '../../connections/connection-health.ts';
import { environmentName } from '../../environments/environment-name.ts';
import { ROLES } from '../../members/roles.ts';
import { DEGRADED_CAUSES } from '../health.ts';
import { dateTime, isPlain, rowIdInPath } from '../schemas.ts';

export const role = z.enum(ROLES);

/** Long enough for any, short enough to be hashed. Its own rules are checked with its purpose. */
export const passwordText = z.string().min(1).max(1_024);

/** A one-time link's. */
export const linkToken = z.string().min(1).max(255);

export const personName = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine(...isPlain);

/** Who is signed in, and what the dashboard needs of it at once. */
export const me = z.strictObject({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  role,
  has_password: z.boolean(),
  confirmed_until: dateTime.nullable().describe('until when what needs a fresh password is open'),
  environments: z.array(z.strictObject({ name: z.string(), is_production: z.boolean() })),
  version: z.string(),
  base_url: z.string(),
  log_retention_days: z.int(),
  degraded: z.enum(DEGRADED_CAUSES).nullable().describe('what of the service does not work, as `/ready` says it'),
});

export const ME = {
  id: 1,
  name: 'Ada Lovelace',
  email: 'ada@acme.example',
  role: 'admin',
  has_password: true,
  confirmed_until: null,
  environments: [
    { name: 'dev', is_production: false },
    { name: 'prod', is_production: true },
  ],
  version: '1.0.0',
  base_url: 'https://svc.acme.example',
  log_retention_days: 15,
  degraded: null,
} as const;

/** Of the path, below which an environment's own routes are. */
export const env = environmentName.meta({ description: 'the name of an environment', example: 'dev' });
export const ofEnvironment = z.strictObject({ env });

export const NO_ENVIRONMENT = { description: 'The account has no such environment.' };

/** Of the path. */
export const pathId = rowIdInPath('an ID of a list');

/** How many connections there are, by state. */
export const connectionCountsShape = z.strictObject(
  Object.fromEntries(CONNECTION_STATES.map((state) => [state, z.int()])) as Record<(typeof CONNECTION_STATES)[number], z.ZodInt>,
);
