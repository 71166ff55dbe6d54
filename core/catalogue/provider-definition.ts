import * as z from 'zod';
import { providerSchema } from '#contract';
import { AUTH_MODES } from '../auth-modes/index.ts';

/** The schema of `provider.json`, with the auth modes of this service. */
export const providerDefinition = providerSchema(AUTH_MODES);

/**
 * Returns the schema of `provider.json` as JSON Schema 2020-12, for editors. It lacks the rules that concern several fields
 * (required URLs, hosts), which only the service checks.
 */
export function providerJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(providerDefinition, { target: 'draft-2020-12', io: 'input' });
}
