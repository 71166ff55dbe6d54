import type { FormField, JsonObject, ProviderDefinition } from '#contract';
import { placeholdersOf } from '../kit/template.ts';

/** The placeholder of the page from which an integration's app is installed; the operator sets it, and only a browser goes there. */
export const APP_LINK = 'integration.appLink';

export interface NamedTemplate {
  readonly member: string;
  readonly template: string;
}

/** The URL templates of a definition. */
export function urlTemplatesOf(definition: ProviderDefinition): NamedTemplate[] {
  const {
    authorization_url,
    token_url,
    refresh_url,
    revocation_url,
    introspection_url,
    userinfo_url,
    request_url,
    installation,
    proxy,
  } = definition;
  const { mcp_server_url } = definition;
  const all = {
    authorization_url,
    token_url,
    refresh_url,
    revocation_url,
    introspection_url,
    userinfo_url,
    request_url,
    mcp_server_url,
    'installation.user_token_url': installation?.user_token_url,
    'installation.user_installations.url': installation?.user_installations.url,
    'proxy.base_url': proxy?.base_url,
  };
  return Object.entries(all).flatMap(([member, template]) => (template === undefined ? [] : [{ member, template }]));
}

/** What a careful person would fill in: the example of each field that has to be there, or that a URL is made of. */
export function exampleValues(
  fields: Readonly<Record<string, FormField>> | undefined,
  inUrls: ReadonlySet<string> = new Set(),
): JsonObject {
  const filled = Object.entries(fields ?? {}).filter(([name, field]) => field.optional !== true || inUrls.has(name));
  return Object.fromEntries(filled.map(([name, field]) => [name, field.example ?? field.default_value ?? field.enum?.[0] ?? '']));
}

/** An integration and a connection of the provider, filled in with examples. */
export function exampleSource({ definition }: { readonly definition: ProviderDefinition }) {
  const placeholders = urlTemplatesOf(definition).flatMap(({ template }) => placeholdersOf(template));
  const inUrls = (group: string) =>
    new Set(placeholders.flatMap((name) => (name.startsWith(`${group}.`) ? [name.slice(group.length + 1)] : [])));
  return {
    definition,
    connectionConfig: exampleValues(definition.connection_config, inUrls('connectionConfig')),
    integrationConfig: exampleValues(definition.integration_config, inUrls('integrationConfig')),
    credentials: { [APP_LINK]: 'https://installed.example/apps/ours' },
  };
}
