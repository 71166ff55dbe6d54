/**
 * How far a flow is, as user interfaces see it. `created`, `opened` and `redirected` only where the user signs in at the provider;
 * forms begin with `verifying`.
 */
export const FLOW_STATES = [
  'created',
  'opened',
  'redirected',
  'returned',
  'exchanging',
  'verifying',
  'choosing',
  'succeeded',
  'failed',
  'cancelled',
  'superseded',
] as const;
export type FlowState = (typeof FLOW_STATES)[number];

/** The user has not come back from the provider, and may never do. */
export const BEFORE_RETURN = ['created', 'opened', 'redirected'] as const satisfies readonly FlowState[];

const ENDED: ReadonlySet<FlowState> = new Set(['succeeded', 'failed', 'cancelled', 'superseded']);

export function hasEnded(state: FlowState): boolean {
  return ENDED.has(state);
}

/**
 * Whether the provider's page opens in a window of its own, or in place of the page where the flow began. `client`: in a window of
 * an existing frontend, which hears of it by `ClientChannels`.
 */
export type FlowMode = 'popup' | 'redirect' | 'client';
