import type * as z from 'zod';
import type { ProviderDefinition } from './members.ts';

const CLIENT_SECRET = '${clientSecret}';
/** Members that only requests to the token endpoint are made of. */
const TOKEN_REQUESTS: ReadonlySet<string> = new Set(['token_params', 'refresh_params', 'token_headers']);

/** The app's secret is sent to the token endpoint alone, never to the API or through the browser. */
export function requireSecretPlaces(definition: ProviderDefinition, check: z.core.$RefinementCtx): void {
  for (const [member, value] of Object.entries(definition)) {
    if (TOKEN_REQUESTS.has(member) || !JSON.stringify(value ?? null).includes(CLIENT_SECRET)) continue;
    check.addIssue({ code: 'custom', path: [member], message: `${CLIENT_SECRET} may be used in token requests only` });
  }
}
