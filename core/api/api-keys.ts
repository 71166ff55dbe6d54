import * as z from 'zod';
import { createKey, revoke } from '../environments/api-keys.ts';
import { requireEnvironmentOf } from '../environments/environments.ts';
import { ENVIRONMENT_SCOPES } from '../environments/scopes.ts';
import { accountOf } from '../http/caller.ts';
import { defineRoute } from '../http/route.ts';
import { API_KEY, ENVIRONMENT } from './examples.ts';
import { dateTime, success } from './schemas.ts';
import type { ApiServices } from './services.ts';

const TAG = 'Environments';
const FULL_ACCESS = ['environment:*'];

const rowId = z.int().positive();

const create = defineRoute({
  method: 'POST',
  path: '/environment/api-keys',
  operationId: 'createApiKey',
  access: { scope: 'account:environments:api_keys:create' },
  summary: 'Create an API key for an environment',
  tag: TAG,
  body: z.strictObject({
    environment_id: rowId,
    display_name: z.string().min(1).max(255),
    scopes: z
      .array(z.enum(ENVIRONMENT_SCOPES))
      .min(1)
      .max(ENVIRONMENT_SCOPES.length)
      .optional()
      .describe('what the key may do; default: everything in the environment'),
  }),
  bodyExample: { environment_id: ENVIRONMENT.id, display_name: API_KEY.display_name, scopes: API_KEY.scopes },
  responses: {
    200: {
      description: 'The key. Its secret is shown this once.',
      schema: z.strictObject({
        data: z.strictObject({
          id: z.int(),
          display_name: z.string(),
          scopes: z.array(z.string()),
          secret: z.string(),
          created_at: dateTime,
        }),
      }),
      example: { data: API_KEY },
    },
    404: { description: 'The account has no such environment.' },
    409: { description: 'The environment has a key of that name.' },
  },
  async handle(services: ApiServices, { caller, body }) {
    const { id: environmentId, accountId } = await requireEnvironmentOf(services, {
      accountId: accountOf(caller),
      id: body.environment_id,
    });
    const wanted = { name: body.display_name, scopes: [...new Set(body.scopes ?? FULL_ACCESS)] };
    const { id, name, scopes, secret, createdAt } = await createKey(services, { accountId, environmentId }, wanted);
    return { body: { data: { id, display_name: name, scopes, secret, created_at: createdAt.toISOString() } } };
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
    200: {
      description: 'The key works no more, on every instance within two seconds.',
      schema: success,
      example: { success: true },
    },
    404: { description: 'The account has no such environment, or the environment no such key.' },
  },
  async handle(services: ApiServices, { caller, body }) {
    const environment = await requireEnvironmentOf(services, { accountId: accountOf(caller), id: body.environment_id });
    await revoke(services, { id: body.key_id, environmentId: environment.id });
    return { body: { success: true } };
  },
});

export const apiKeyRoutes = [create, remove];
