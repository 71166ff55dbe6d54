import * as z from 'zod';
import { jsonObject } from '#contract';
import { AUTH_MODES } from '../../auth-modes/index.ts';
import type { ConnectionAddress } from '../../connections/connection-store.ts';
import { type Caller, environmentOf } from '../../server/access/caller.ts';
import { connectionId, dateTime, tagsShape } from '../schemas.ts';
import { endUserOutput } from './end-user-schemas.ts';

/** Schemas and helpers shared by the endpoints of connections. */

export const CONNECTIONS = 'Connections';

/** A connection in responses, without its credentials. */
export const record = z.strictObject({
  id: z.int(),
  connection_id: z.string(),
  provider_config_key: z.string(),
  provider: z.string(),
  errors: z.array(z.strictObject({ type: z.enum(['auth', 'sync']), log_id: z.string() })),
  end_user: endUserOutput.nullable(),
  metadata: jsonObject,
  connection_config: jsonObject,
  tags: tagsShape,
  created_at: dateTime,
  updated_at: dateTime,
  last_fetched_at: dateTime.meta({ description: 'when the credentials were last fetched; equal to `created_at`: never' }),
});

/**
 * The credentials of a connection in responses. Their `type` decides which fields they have; those of an API without
 * authentication have none.
 */
const returnedCredentials = z.union([...new Set(AUTH_MODES.map(({ presented }) => presented))]).meta({ id: 'Credentials' });

export const fullRecord = record
  .extend({ credentials: returnedCredentials, webhook_url: z.url().optional().describe('only if requested') })
  .meta({ id: 'Connection' });

export const connectionPath = z.strictObject({ connection_id: connectionId });

interface RequestedConnection {
  readonly connection_id: string;
  readonly provider_config_key: string;
}

/** Returns the full address of the connection that a request names; the environment is the caller's. */
export function addressOf(caller: Caller, { connection_id, provider_config_key }: RequestedConnection): ConnectionAddress {
  return { environmentId: environmentOf(caller), providerConfigKey: provider_config_key, connectionId: connection_id };
}
