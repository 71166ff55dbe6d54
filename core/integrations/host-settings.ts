import type { FormField, JsonObject, ProviderDefinition } from '#contract';

/** These and all settings with the format of an address, such as `issuer`, decide where secrets are sent. */
const ALWAYS = ['allowed_hosts', 'refresh_url'];

/**
 * Settings that differ and affect where credentials of connections are sent: lists of hosts, addresses, and all
 * settings in the definition's templates.
 */
export function changedHostSettings(
  definition: ProviderDefinition,
  fields: Readonly<Record<string, FormField>>,
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject },
): readonly string[] {
  const calls = JSON.stringify(definition);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => {
    if (before[name] === after[name]) return false;
    const format = Object.hasOwn(fields, name) ? fields[name]?.format : undefined;
    const isAddress = format === 'uri' || format === 'hostname';
    return (
      isAddress || ALWAYS.includes(name) || calls.includes(`\${integrationConfig.${name}}`) || calls.includes(`\${maps.${name}.`)
    );
  });
}
