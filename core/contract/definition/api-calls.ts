import type * as z from 'zod';
import type { ProviderDefinition } from './members.ts';

/** Calls of the definition go below the base URL of the API, unless they have one of their own. */
export function requireApi({ identity, discover = [], proxy }: ProviderDefinition, check: z.core.$RefinementCtx): void {
  if (proxy !== undefined) return;
  const calls = [{ call: identity, path: ['identity'] }, ...discover.map((call, index) => ({ call, path: ['discover', index] }))];
  for (const { call, path } of calls)
    if (call !== undefined && call.base_url === undefined)
      check.addIssue({ code: 'custom', path, message: 'needs a base_url, since there is no proxy.base_url' });
}
