import * as z from 'zod';
import { providerSchema } from '#contract';
import { AUTH_MODES } from '../auth-modes/index.ts';

/** The schema of `provider.json`, with the auth modes of this service. */
export const providerDefinition = providerSchema(AUTH_MODES);

/**
 * Returns the members as JSON Schema 2020-12, for editors. Only the service checks rules between members (required URLs, hosts).
 */
export function providerJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(providerDefinition, { target: 'draft-2020-12', io: 'input' });
}
