import type { FormField, JsonObject } from '#contract';

/** Returns the fields of a configuration that the definition marks `secret`. */
export function secretPart(fields: Readonly<Record<string, FormField>> | undefined, config: JsonObject): JsonObject {
  const secrets = Object.entries(fields ?? {}).flatMap(([name, field]) => (field.secret === true ? [name] : []));
  return Object.fromEntries(Object.entries(config).filter(([name]) => secrets.includes(name)));
}

/** Returns the configuration without its secret fields. */
export function openPart(config: JsonObject, secretConfig: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !Object.hasOwn(secretConfig, name)));
}
