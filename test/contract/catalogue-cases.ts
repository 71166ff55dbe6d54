import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FormField, ProviderDefinition } from '#contract';

export { APP_LINK, enteredUrlsOf, exampleSource, exampleValues } from '../../core/cli/rehearsal/examples.ts';

const PROJECT = join(import.meta.dirname, '../..');

export const PROVIDERS_DIR = join(PROJECT, 'providers');
export const PLUGINS_DIR = join(PROJECT, 'plugins');
export const DIRS = [PROVIDERS_DIR, PLUGINS_DIR];

/** Returns all folders on disk, including those that the catalogue would reject. */
export async function foldersOf(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(dir, entry.name));
}

/** Returns the fields of all forms of a definition, each with its name and its form. */
export function fieldsOf(definition: ProviderDefinition): [string, FormField, Readonly<Record<string, FormField>>][] {
  const forms = [definition.connection_config, definition.credentials, definition.integration_config];
  return forms.flatMap((form = {}) =>
    Object.entries(form).map(([name, field]): [string, FormField, typeof form] => [name, field, form]),
  );
}
