import {
  type FormField,
  type JsonObject,
  type ProviderDefinition,
  splitPlaceholder,
  type UrlTemplate,
  urlTemplatesOf,
} from '#contract';
import { placeholdersOf } from '../../kit/template.ts';

/**
 * The placeholder for the page from which an integration's app is installed; the operator sets it, and only a browser goes there.
 */
export const APP_LINK = 'integration.appLink';

/** Returns the URL templates of a definition that use no value from a response. */
export function enteredUrlsOf(definition: ProviderDefinition): UrlTemplate[] {
  return urlTemplatesOf(definition).filter(({ template }) => !placeholdersOf(template).some((name) => name.startsWith('steps.')));
}

/** Returns the values that a careful person would enter: the example of each field that is required, or that is part of a URL. */
export function exampleValues(
  fields: Readonly<Record<string, FormField>> | undefined,
  inUrls: ReadonlySet<string> = new Set(),
): JsonObject {
  const filled = Object.entries(fields ?? {}).filter(([name, field]) => field.optional !== true || inUrls.has(name));
  return Object.fromEntries(filled.map(([name, field]) => [name, statedValue(field) ?? '']));
}

/** Returns a value that the definition itself gives for a field. */
export function statedValue(field: FormField | undefined): string | undefined {
  return field?.example ?? field?.default_value ?? field?.enum?.[0];
}

/** Returns an integration and a connection of the provider, filled in with examples. */
export function exampleSource({ definition }: { readonly definition: ProviderDefinition }) {
  const placeholders = enteredUrlsOf(definition).flatMap(({ template }) => placeholdersOf(template).map(splitPlaceholder));
  const inUrls = (group: string) => new Set(placeholders.flatMap((one) => (one.group === group ? [one.field] : [])));
  return {
    definition,
    connectionConfig: exampleValues(definition.connection_config, inUrls('connectionConfig')),
    integrationConfig: exampleValues(definition.integration_config, inUrls('integrationConfig')),
    credentials: { [APP_LINK]: 'https://installed.example/apps/ours' },
  };
}
