import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { mapFieldOf } from '../maps.ts';
import type { ProviderDefinition } from './members.ts';

const MAP_VALUE = /\$\{maps\.([\w-]+)(?:\.([\w-]+))?(?![\w-])[^${}]*\}/g;

type Map = NonNullable<ProviderDefinition['maps']>[string];

/** Each map has a row for every value that its field can have, and every row has the values that templates use. */
export function requireWholeMaps(definition: ProviderDefinition, check: z.core.$RefinementCtx): void {
  const fault = (path: string[], message: string) => check.addIssue({ code: 'custom', path: ['maps', ...path], message });
  for (const [name, map] of Object.entries(definition.maps ?? {})) {
    const values = fieldOf(definition, name)?.enum;
    if (values === undefined)
      fault([name], 'must have the name of a field of connection_config or of integration_config that has an enum');
    else if (!isDeepStrictEqual(new Set(values), new Set(Object.keys(map))))
      fault([name], `must have a row for each value of the field's enum and no others: ${values.join(', ')}`);
    if (new Set(Object.values(map).map((row) => Object.keys(row).sort().join())).size > 1)
      fault([name], 'must have the same values in every row');
  }
  for (const [whole, name = '', key = ''] of JSON.stringify(definition).matchAll(MAP_VALUE))
    if (!hasValue(definition.maps, name, key)) fault([], `"${whole}" is not a value of a map`);
}

function fieldOf(definition: ProviderDefinition, name: string) {
  const found = mapFieldOf(definition, name);
  return found && definition[found.group]?.[found.field];
}

function hasValue(maps: Readonly<Record<string, Map>> = {}, name: string, key: string): boolean {
  const rows = Object.hasOwn(maps, name) ? Object.values(maps[name] ?? {}) : [];
  return rows.length > 0 && rows.every((row) => Object.hasOwn(row, key));
}
