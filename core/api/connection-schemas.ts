import * as z from 'zod';
import { jsonObject } from '#contract';
import { returnedCredentials } from './credential-schemas.ts';
import { endUserOutput } from './end-user-schemas.ts';
import { connectionId, dateTime, tagsShape } from './schemas.ts';

/** What the endpoints of connections have in common. */

export const CONNECTIONS = 'Connections';

/** The record without credentials. */
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
  last_fetched_at: dateTime,
});

export const fullRecord = record.extend({ credentials: returnedCredentials });

export const connectionPath = z.strictObject({ connection_id: connectionId });
