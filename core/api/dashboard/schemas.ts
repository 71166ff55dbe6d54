import * as z from 'zod';
import { MOST_COUNTED } from '../../connections/connection-counts-store.ts';
import { CONNECTION_STATES } from '../../connections/connection-health.ts';
import { assertion } from '../../tenants/members/factors/passkeys.ts';
import { ROLES } from '../../tenants/members/permissions.ts';
import { DEGRADED_CAUSES } from '../health.ts';
import { dateTime, isPlain, rowIdInPath } from '../schemas.ts';

export const role = z.enum(ROLES);

/**
 * A password in requests. The maximum length allows any password that a person chooses, and limits the work of hashing; the rules
 * for new passwords are checked where one is set.
 */
export const passwordText = z.string().min(1).max(1_024);

/** The token of a one-time link. */
export const linkToken = z.string().min(1).max(255);

export const personName = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine(...isPlain);

const factorKind = z.enum(['totp', 'passkey']);

/** The code that an authenticator app shows, with or without spaces. */
export const totpCode = z.string().min(6).max(32);

/** The schemas of a second factor in requests: a code or a passkey. */
export const shownFactor = [
  z.strictObject({ code: z.string().min(1).max(64).describe('code of an authenticator app, or a recovery code') }),
  z.strictObject({ passkey: assertion.describe('`AuthenticationResponseJSON` of WebAuthn §5.1') }),
] as const;

/** The options of a passkey in JSON (WebAuthn §5.1). */
export const passkeyOptions = {
  schema: z.strictObject({ data: z.looseObject({ challenge: z.string() }) }),
  example: { data: { challenge: 'WmVjaHByZWxsZXI' } },
};

/** The member who is signed in, and everything else that the dashboard needs when it starts. */
const me = z.strictObject({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  role,
  has_password: z.boolean(),
  factor_kinds: z
    .array(factorKind)
    .nullable()
    .describe('second factors that can be used, besides recovery codes; null: there is no second factor'),
  must_enrol: z.boolean().describe('whether a second factor must be enrolled before anything else can be done'),
  confirmed_until: dateTime.nullable().describe('until when actions that need a fresh confirmation are allowed'),
  environments: z.array(z.strictObject({ name: z.string(), is_production: z.boolean() })),
  version: z.string(),
  base_url: z.string(),
  log_retention_days: z.int(),
  degraded: z.enum(DEGRADED_CAUSES).nullable().describe('cause of degraded operation, as in `/ready`'),
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
  description: 'The signed-in member.',
  schema: z.strictObject({ data: me }),
  example: { data: ME },
};

/** The response after the first step of a sign-in, if the member has to show a second factor. */
export const secondStep = {
  description: 'A second factor is outstanding: show one within ten minutes.',
  schema: z.strictObject({
    data: z.strictObject({ awaits: z.literal('factor'), email: z.string(), factor_kinds: z.array(factorKind) }),
  }),
  example: { data: { awaits: 'factor', email: ME.email, factor_kinds: ['totp'] } },
} as const;

/** The ID of a list item, as a path parameter. */
export const pathId = rowIdInPath('ID from the list');

/** The number of connections in each state. */
export const connectionCountsShape = z
  .strictObject(
    Object.fromEntries(CONNECTION_STATES.map((state) => [state, z.int()])) as Record<
      (typeof CONNECTION_STATES)[number],
      z.ZodInt
    >,
  )
  .describe(`connections by state; ${MOST_COUNTED} stands for that many or more`);
