import type * as z from 'zod';
import type { ProviderDefinition } from './members.ts';

/** Calls of the definition go below the base URL of the API. */
export function requireApi({ identity, proxy }: ProviderDefinition, check: z.core.$RefinementCtx): void {
  if (identity !== undefined && proxy === undefined)
    check.addIssue({ code: 'custom', path: ['identity'], message: 'is called below proxy.base_url, which is missing' });
}
