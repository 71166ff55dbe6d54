import type { JsonObject } from '#contract';
import type { Connection } from './connection.ts';
import { openPart } from './integrations/secret-fields.ts';

/** Returns the connection's configuration without its secret fields. */
export function openConfig({
  connectionConfig,
  secretConfig = {},
}: Pick<Connection, 'connectionConfig'> & Partial<Pick<Connection, 'secretConfig'>>): JsonObject {
  return openPart(connectionConfig, secretConfig);
}
