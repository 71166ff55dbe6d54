import * as z from 'zod';
import { providerSchema } from '#contract';
import { AUTH_MODES } from '../auth-modes/index.ts';

/** What `provider.json` may hold, with the auth modes of this service. */
export const providerDefinition = providerSchema(AUTH_MODES);

/** The members as JSON Schema 2020-12, for editors. Rules between members (required URLs, hosts) only the service checks. */
export function providerJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(providerDefinition, { target: 'draft-2020-12', io: 'input' });
}
