import type { Reply } from '../wire.ts';

export const STEPS = 5;

/** How many steps of the quick start an environment has behind it. */
export function stepsDone({
  has_api_key: hasKey,
  integration,
  connection,
  has_received: hasReceived,
  has_proxied: hasProxied,
}: Reply<'getOnboarding'>['data']): number {
  return [hasKey, integration, connection, hasReceived, hasProxied].filter(Boolean).length;
}
