import type * as z from 'zod';
import { settingOf } from './api-key.ts';
import type { ProviderDefinition } from './members.ts';

const PLACES: readonly string[] = ['header', 'query'];

/** Settings that say where a key goes always have a value, and one that fits its place. */
export function requireKeyPlace({ proxy, integration_config: fields }: ProviderDefinition, check: z.core.$RefinementCtx): void {
  const place = proxy?.api_key;
  for (const member of ['in', 'name'] as const) {
    const name = settingOf(place?.[member] ?? '');
    if (name === undefined) continue;
    const field = fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
    const isBound = member === 'in' ? field?.enum?.every((choice) => PLACES.includes(choice)) : field?.format === 'header_name';
    const hasValue = field?.optional !== true || field.default_value !== undefined;
    if (isBound === true && hasValue) continue;
    const bound = member === 'in' ? 'an enum of header and query' : 'the format header_name';
    const message = `"${name}" must be a declared field with ${bound}, and required or with a default value`;
    check.addIssue({ code: 'custom', path: ['proxy', 'api_key', member], message });
  }
}
