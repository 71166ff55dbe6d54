import type { JsonObject } from './context.ts';
import type { ProviderDefinition } from './definition/members.ts';
import { withDefaults } from './fields.ts';
import { type HostField, hostFieldsOf, hostPlaceholdersOf } from './templates.ts';

type Definition = Pick<ProviderDefinition, 'maps' | 'connection_config' | 'integration_config'>;

interface StoredConfiguration {
  readonly connectionConfig: JsonObject;
  readonly integrationConfig: JsonObject;
}

/** Returns the field whose value chooses a row of the map of this name. */
export function mapFieldOf(definition: Omit<Definition, 'maps'>, name: string): HostField | undefined {
  const groups = ['connection_config', 'integration_config'] as const;
  const group = groups.find((candidate) => Object.hasOwn(definition[candidate] ?? {}, name));
  return group && { group, field: name };
}

/**
 * Returns the values of all maps, by their names in templates: `maps.<name>.<key>`. A map contributes none if it has no row for
 * the value of its field.
 */
export function mapValues(definition: Definition, configuration: StoredConfiguration): Readonly<Record<string, string>> {
  const values = Object.entries(definition.maps ?? {}).flatMap(([name, rows]) => {
    const value = chosen(definition, configuration, name);
    const row = typeof value === 'string' && Object.hasOwn(rows, value) ? rows[value] : undefined;
    return Object.entries(row ?? {}).map(([key, text]) => [`maps.${name}.${key}`, text] as const);
  });
  return Object.fromEntries(values);
}

/**
 * Returns the form fields that decide the host of a URL template: those that are part of it, and those that choose the rows of
 * the maps in it.
 */
export function decidingFieldsOf(template: string, definition: Definition): readonly HostField[] {
  const names = hostPlaceholdersOf(template).flatMap((placeholder) => /^maps\.([^.]+)\./.exec(placeholder)?.[1] ?? []);
  const fields = names.map((name) => mapFieldOf(definition, name)).filter((field) => field !== undefined);
  return [...hostFieldsOf(template), ...fields];
}

function chosen(definition: Definition, { connectionConfig, integrationConfig }: StoredConfiguration, name: string): unknown {
  const group = mapFieldOf(definition, name)?.group;
  if (group === undefined) return undefined;
  const values = group === 'connection_config' ? connectionConfig : integrationConfig;
  return withDefaults(definition[group], values)[name];
}
