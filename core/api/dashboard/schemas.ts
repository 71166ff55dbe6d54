import * as z from 'zod';
import { CONNECTION_STATES } from '../../connections/connection-health.ts';
import { assertion } from '../../tenants/members/factors/passkeys.ts';
import { ROLES } from '../../tenants/members/permissions.ts';
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

export const factorKind = z.enum(['totp', 'passkey']);

/** Of an app, as it shows them. */
export const totpCode = z.string().min(6).max(32);

/** What of a second factor is shown. */
export const shownFactor = [
  z.strictObject({ code: z.string().min(1).max(64).describe('of an authenticator app, or a recovery code') }),
  z.strictObject({ passkey: assertion.describe('`AuthenticationResponseJSON` of WebAuthn §5.1') }),
] as const;

/** Options as WebAuthn §5.1 has them in JSON. */
export const passkeyOptions = {
  schema: z.strictObject({ data: z.looseObject({ challenge: z.string() }) }),
  example: { data: { challenge: 'WmVjaHByZWxsZXI' } },
};

/** Who is signed in, and what the dashboard needs of it at once. */
export const me = z.strictObject({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  role,
  has_password: z.boolean(),
  factor_kinds: z
    .array(factorKind)
    .nullable()
    .describe('what can be shown as a second factor, besides recovery codes; null: there is none'),
  must_enrol: z.boolean().describe('a second factor is required here, and nothing else can be done before'),
  confirmed_until: dateTime.nullable().describe('until when what needs a fresh confirmation is open'),
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
  factor_kinds: ['totp'],
  must_enrol: false,
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

export const meResponse = {
  description: 'Who is signed in now.',
  schema: z.strictObject({ data: me }),
  example: { data: ME },
};

/** Of a sign-in whose first step is done. */
export const secondStep = {
  description: 'The second factor is outstanding: show one within ten minutes.',
  schema: z.strictObject({
    data: z.strictObject({ awaits: z.literal('factor'), email: z.string(), factor_kinds: z.array(factorKind) }),
  }),
  example: { data: { awaits: 'factor', email: ME.email, factor_kinds: ['totp'] } },
} as const;

/** Of the path. */
export const pathId = rowIdInPath('an ID of a list');

/** How many connections there are, by state. */
export const connectionCountsShape = z.strictObject(
  Object.fromEntries(CONNECTION_STATES.map((state) => [state, z.int()])) as Record<(typeof CONNECTION_STATES)[number], z.ZodInt>,
);
