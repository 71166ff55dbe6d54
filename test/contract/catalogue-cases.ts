import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FormField, JsonObject, ProviderDefinition } from '#contract';
import type { Provider } from '../../core/catalogue/catalogue.ts';
import { placeholdersOf } from '../../core/kit/template.ts';

const PROJECT = join(import.meta.dirname, '../..');

export const PROVIDERS_DIR = join(PROJECT, 'providers');
export const PLUGINS_DIR = join(PROJECT, 'plugins');
export const DIRS = [PROVIDERS_DIR, PLUGINS_DIR];

/** Folders as they are on disk, whatever the catalogue makes of them. */
export async function foldersOf(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(dir, entry.name));
}

/** The placeholder of the page from which an integration's app is installed; the operator sets it, and only a browser goes there. */
export const APP_LINK = 'integration.appLink';

export interface NamedTemplate {
  readonly member: string;
  readonly template: string;
}

/** The URL templates of a definition. */
export function urlTemplatesOf(definition: ProviderDefinition): NamedTemplate[] {
  const { authorization_url, token_url, refresh_url, revocation_url, introspection_url, request_url, installation, proxy } =
    definition;
  const { mcp_server_url } = definition;
  const all = {
    authorization_url,
    token_url,
    refresh_url,
    revocation_url,
    introspection_url,
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
export function exampleSource({ definition }: Provider) {
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

/** All form fields, whichever form they belong to. */
export function fieldsOf(definition: ProviderDefinition): [string, FormField, Readonly<Record<string, FormField>>][] {
  const forms = [definition.connection_config, definition.credentials, definition.integration_config];
  return forms.flatMap((form = {}) =>
    Object.entries(form).map(([name, field]): [string, FormField, typeof form] => [name, field, form]),
  );
}
