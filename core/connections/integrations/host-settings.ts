import { COMMON_SETTINGS, type FormField, type JsonObject, type ProviderDefinition } from '#contract';

/**
 * Names of settings that always decide where secrets are sent, whatever their format. The same applies to settings whose format
 * is an address, such as `issuer`.
 */
const ALWAYS = ['allowed_hosts', 'refresh_url'];

/**
 * Returns those of the given fields of a connection's configuration whose value is an address: the connection's credentials are
 * sent to that host.
 */
export function hostFields(definition: ProviderDefinition, given: JsonObject): readonly string[] {
  const fields = definition.connection_config ?? {};
  return Object.keys(given).filter((name) => Object.hasOwn(fields, name) && isAddress(fields[name]));
}

function isAddress(field: FormField | undefined): boolean {
  return field?.format === 'uri' || field?.format === 'hostname';
}

/** Returns the names of a new integration's settings that affect where credentials of connections are sent. */
export function givenHostSettings(definition: ProviderDefinition, given: JsonObject): readonly string[] {
  return changedHostSettings(definition, { before: {}, after: given });
}

/**
 * Returns the settings that differ and affect where credentials of connections are sent: lists of hosts, addresses, and all
 * settings that the definition's templates use.
 */
export function changedHostSettings(
  definition: ProviderDefinition,
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject },
): readonly string[] {
  const fields: Readonly<Record<string, FormField>> = { ...COMMON_SETTINGS, ...definition.integration_config };
  const calls = JSON.stringify(definition);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => {
    if (before[name] === after[name]) return false;
    return (
      (Object.hasOwn(fields, name) && isAddress(fields[name])) ||
      ALWAYS.includes(name) ||
      calls.includes(`\${integrationConfig.${name}}`) ||
      calls.includes(`\${maps.${name}.`)
    );
  });
}
