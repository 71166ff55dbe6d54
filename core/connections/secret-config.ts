import type { JsonObject } from '#contract';
import type { Connection } from './connection.ts';
import { openPart } from './integrations/secret-fields.ts';

/** The configuration without what is secret in it. */
export function openConfig({
  connectionConfig,
  secretConfig = {},
}: Pick<Connection, 'connectionConfig'> & Partial<Pick<Connection, 'secretConfig'>>): JsonObject {
  return openPart(connectionConfig, secretConfig);
}
