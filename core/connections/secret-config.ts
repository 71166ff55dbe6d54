import type { FormField, JsonObject } from '#contract';
import type { Connection } from './connection.ts';

/** What of a configuration the definition marks `secret`. */
export function secretPart(fields: Readonly<Record<string, FormField>> | undefined, config: JsonObject): JsonObject {
  const secrets = Object.entries(fields ?? {}).flatMap(([name, field]) => (field.secret === true ? [name] : []));
  return Object.fromEntries(Object.entries(config).filter(([name]) => secrets.includes(name)));
}

/** The configuration without what is secret in it. */
export function openConfig({
  connectionConfig,
  secretConfig = {},
}: Pick<Connection, 'connectionConfig'> & Partial<Pick<Connection, 'secretConfig'>>): JsonObject {
  return Object.fromEntries(Object.entries(connectionConfig).filter(([name]) => !Object.hasOwn(secretConfig, name)));
}
