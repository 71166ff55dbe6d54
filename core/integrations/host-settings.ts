import type { FormField, JsonObject, ProviderDefinition } from '#contract';

/** Whoever changes these, or any address, decides where secrets are sent; `issuer` and the like have the format of one. */
const ALWAYS = ['allowed_hosts', 'refresh_url'];

/**
 * Settings that differ and have a say in where credentials of connections are sent: lists of hosts, addresses, and whatever the
 * definition puts into its calls.
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
    return isAddress || ALWAYS.includes(name) || calls.includes(`\${integrationConfig.${name}}`);
  });
}
