import * as z from 'zod';
import { isObject } from '#contract';

/**
 * The kinds of values that a `plugin.ts` may export. They are checked here since types vanish at run time, and a misspelt value
 * would silently have no effect.
 */

const fn = z.custom<() => unknown>((value) => typeof value === 'function', 'must be a function');
const text = z.string('must be a non-empty string').min(1, 'must be a non-empty string');
const header = z.string('must be a header name').regex(/^[a-z0-9!#$%&'*+.^_`|~-]+$/, 'must be a header name in lower case');
const seconds = z.number('must be a number of seconds').positive('must be a number of seconds above 0');

function oneOf(...values: readonly string[]) {
  const names = values.map((value) => `'${value}'`);
  return z.enum(values, `must be ${names.length === 1 ? names[0] : `one of ${names.join(', ')}`}`);
}

function part<T extends z.core.$ZodLooseShape>(members: T) {
  return z.strictObject(members, { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) });
}

const secret = z.discriminatedUnion(
  'in',
  [part({ in: z.enum(['webhookSecret', 'clientSecret']) }), part({ in: z.enum(['integration', 'connection']), read: fn })],
  "must be { in: 'webhookSecret' }, { in: 'clientSecret' }, { in: 'integration', read } or { in: 'connection', read }",
);
const withoutSecret = oneOf('refuse', 'accept');
const when = fn.optional();
const over = oneOf('body', 'packed').optional();

const RULES = {
  hmac: part({
    scheme: text,
    when,
    algorithm: oneOf('sha256', 'sha512', 'sha1'),
    header,
    encoding: oneOf('hex', 'base64'),
    prefix: z.string('must be a string').optional(),
    secret,
    withoutSecret,
    over,
    key: fn.optional(),
    signatures: fn.optional(),
    signedBytes: fn.optional(),
    timestamp: part({ toleranceSeconds: seconds, read: fn }).optional(),
  }),
  token: part({ scheme: text, when, header, secret, withoutSecret }),
  custom: part({ scheme: text, when, secret, withoutSecret, over, isValid: fn }),
  unverified: part({ scheme: text, when, reason: text }),
};
const PUBLIC_KEY_JWT = part({
  scheme: text,
  when,
  read: fn,
  jwksUrl: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }),
  issuer: text,
  audience: z.union([z.literal('webhookUrl'), part({ value: text })], "must be 'webhookUrl' or { value }"),
});
const SHARED_SECRET_JWT = part({ scheme: text, when, algorithm: oneOf('HS256'), read: fn, secret });

/** A rule for the signatures of webhooks. Its `scheme` decides which other properties it has. */
const rule = z.unknown().superRefine((value, check) => {
  const checked = shapeOfRule(value).safeParse(value);
  for (const issue of checked.error?.issues ?? []) {
    const message = issue.code === 'unrecognized_keys' ? `has unknown properties: ${issue.keys.join(', ')}` : issue.message;
    check.addIssue({ code: 'custom', path: issue.path, message });
  }
});

function shapeOfRule(value: unknown): z.ZodType {
  const { scheme, algorithm } = isObject(value) ? value : {};
  if (scheme === 'jwt') return algorithm === undefined ? PUBLIC_KEY_JWT : SHARED_SECRET_JWT;
  const known = typeof scheme === 'string' && Object.hasOwn(RULES, scheme);
  return known
    ? RULES[scheme as keyof typeof RULES]
    : z.looseObject({ scheme: oneOf(...Object.keys(RULES), 'jwt') }, 'must be an object');
}

export const webhookShape = part({
  signature: z.array(rule, 'must be a list of rules').min(1, 'must contain at least one rule'),
  handshake: fn.optional(),
  payloadField: text.optional(),
  events: fn,
  matchedBy: z.array(text, 'must be a list of clauses').optional(),
  deliveryId: fn.optional(),
  forwardHeaders: z.array(header, 'must be a list of header names').optional(),
  reply: fn.optional(),
});

const authShape = part({
  authorizationParams: fn,
  readTokens: fn,
  exchange: fn,
  authenticate: fn,
  refresh: fn,
  refreshable: fn,
  isRevoked: fn,
})
  .partial()
  .refine(
    ({ refresh, refreshable }) => refreshable === undefined || refresh !== undefined,
    'has `refreshable` without `refresh`',
  );

const proxyShape = part({ decorate: fn, sign: fn, signsBody: fn, retryAfter: fn })
  .partial()
  .refine(({ sign, signsBody }) => signsBody === undefined || sign !== undefined, 'has `signsBody` without `sign`');

export const pluginShape = part({
  contract: z.literal(1),
  auth: authShape.optional(),
  connection: part({ afterAuthorization: fn, identify: fn, verify: fn, beforeDeletion: fn, revoke: fn }).partial().optional(),
  webhook: z.unknown().optional(),
  proxy: proxyShape.optional(),
  subscriptions: part({
    subscribe: fn,
    renew: part({ everyDays: z.number('must be a number of days').positive('must be a number of days above 0'), run: fn }),
    unsubscribe: fn,
  })
    .partial()
    .optional(),
});
