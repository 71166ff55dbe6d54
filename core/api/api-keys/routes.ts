import * as z from 'zod';
import { withTransaction } from '../../db/transaction.ts';
import { recordAudit } from '../../journal/audit-trail/record.ts';
import { accountOf } from '../../server/access/caller.ts';
import { inputError } from '../../server/check-input.ts';
import { defineRoute } from '../../server/route.ts';
import { type ApiKey, liveKeysOf } from '../../tenants/api-keys/api-key-store.ts';
import { createKey, revoke } from '../../tenants/api-keys/api-keys.ts';
import { ENVIRONMENT_SCOPES } from '../../tenants/api-keys/scopes.ts';
import { requireEnvironmentOf } from '../../tenants/environments/environments.ts';
import { auditContext } from '../audit-context.ts';
import { API_KEY, ENVIRONMENT, LISTED_API_KEY } from '../examples.ts';
import { count, dateTime, isPlain, success } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { REVOKED } from './key-schemas.ts';

const TAG = 'Environments';
/** Expiry times are returned as RFC 3339 timestamps, whose years have four digits (§5.6). */
const MAX_YEAR = 9999;
const FULL_ACCESS = ['environment:*'];

const rowId = z.int().positive();

const keyRecord = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    scopes: z.array(z.string()),
    created_at: dateTime,
    last_used_at: dateTime.nullable().meta({ description: 'lags by a few seconds; null: never used' }),
    expires_at: dateTime.nullable().meta({ description: 'null: the key does not expire' }),
  })
  .meta({ id: 'ApiKey' });

const list = defineRoute({
  method: 'GET',
  path: '/environment/api-keys',
  operationId: 'listApiKeys',
  access: { scope: 'account:environments:api_keys:list' },
  summary: 'List the API keys of an environment, without their secrets',
  tag: TAG,
  query: z.strictObject({
    environment_id: count({ from: 1, to: Number.MAX_SAFE_INTEGER }).meta({
      description: 'the ID of an environment',
      example: ENVIRONMENT.id,
    }),
  }),
  responses: {
    200: {
      description: 'All keys that are not revoked, oldest first; expired keys still occupy their names.',
      schema: z.strictObject({ data: z.array(keyRecord) }),
      example: { data: [LISTED_API_KEY] },
    },
    404: { description: 'The account has no such environment.' },
  },
  async handle(services: ApiServices, { caller, query }) {
    const environment = await requireEnvironmentOf(services, { accountId: accountOf(caller), id: query.environment_id });
    const keys = await liveKeysOf(services.db, { accountId: environment.accountId, environmentId: environment.id });
    return { body: { data: keys.map(listedKey) } };
  },
});

const create = defineRoute({
  method: 'POST',
  path: '/environment/api-keys',
  operationId: 'createApiKey',
  access: { scope: 'account:environments:api_keys:create' },
  writes: 'in-transaction',
  summary: 'Create an API key for an environment',
  tag: TAG,
  body: z
    .strictObject({
      environment_id: rowId,
      display_name: z
        .string()
        .min(1)
        .max(255)
        .refine(...isPlain),
      scopes: z
        .array(z.enum(ENVIRONMENT_SCOPES))
        .min(1)
        .max(ENVIRONMENT_SCOPES.length)
        .optional()
        .describe('what the key may do; default: everything in the environment'),
      expires_at: z.iso.datetime({ offset: true }).optional().describe('when the key expires; default: never'),
    })
    .meta({ id: 'ApiKeyRequest' }),
  bodyExample: { environment_id: ENVIRONMENT.id, display_name: API_KEY.display_name, scopes: API_KEY.scopes },
  responses: {
    200: {
      description: 'The key. This is the only response with its secret.',
      schema: z.strictObject({
        data: z
          .strictObject({
            id: z.int(),
            display_name: z.string(),
            scopes: z.array(z.string()),
            secret: z.string(),
            created_at: dateTime,
            expires_at: dateTime.nullable(),
          })
          .meta({ id: 'NewApiKey' }),
      }),
      example: { data: API_KEY },
    },
    404: { description: 'The account has no such environment.' },
    409: {
      description: 'The environment already has a key with this name, or the `Idempotency-Key` was used for another request.',
    },
  },
  async handle(services: ApiServices, { body, ...by }) {
    const { id: environmentId, accountId } = await requireEnvironmentOf(services, {
      accountId: accountOf(by.caller),
      id: body.environment_id,
    });
    const expiresAt = body.expires_at === undefined ? undefined : futureTime(body.expires_at, services.clock.now());
    const context = auditContext(by);
    const createdBy = context.source.actor.name;
    const wanted = { name: body.display_name, scopes: [...new Set(body.scopes ?? FULL_ACCESS)], expiresAt, createdBy };
    const { secret, ...key } = await createKey(services, { accountId, environmentId }, wanted);
    const { id, scopes, created_at, expires_at } = listedKey(key);
    const subject = { type: 'api_key', id: String(id), name: key.name } as const;
    const entry = { action: 'api_key.create', subject, facts: { scopes, expires_at } } as const;
    await recordAudit(services, { ...context, environmentId, ...entry });
    return { body: { data: { id, display_name: key.name, scopes, secret, created_at, expires_at } } };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/environment/api-keys',
  operationId: 'deleteApiKey',
  access: { scope: 'account:environments:api_keys:delete' },
  summary: 'Revoke an API key of an environment',
  tag: TAG,
  body: z.strictObject({ environment_id: rowId, key_id: rowId }),
  bodyExample: { environment_id: ENVIRONMENT.id, key_id: API_KEY.id },
  responses: {
    200: success(REVOKED),
    404: { description: 'The account has no such environment, or the environment has no such key.' },
  },
  async handle(services: ApiServices, { body, ...by }) {
    const environment = await requireEnvironmentOf(services, { accountId: accountOf(by.caller), id: body.environment_id });
    await withTransaction(services.db, async (trx) => {
      const here = { ...services, db: trx };
      const name = await revoke(here, { id: body.key_id, environmentId: environment.id });
      const subject = { type: 'api_key', id: String(body.key_id), name } as const;
      await recordAudit(here, { ...auditContext(by), environmentId: environment.id, action: 'api_key.revoke', subject });
    });
    return { body: { success: true } };
  },
});

export const apiKeyRoutes = [list, create, remove];

function listedKey({ id, name, scopes, createdAt, lastUsedAt, expiresAt }: ApiKey) {
  return {
    id,
    name,
    scopes,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
  };
}

/**
 * Reads a key's expiry time.
 *
 * @throws ServiceError `invalid_body` if it is after `MAX_YEAR`, or not in the future: nobody wants an expired key
 */
export function futureTime(text: string, now: Date): Date {
  const time = new Date(text);
  if (time > now && time.getUTCFullYear() <= MAX_YEAR) return time;
  const message = `must be in the future, and not after the year ${MAX_YEAR}`;
  throw inputError('invalid_body', [{ code: 'invalid_value', message, path: ['expires_at'] }]);
}
