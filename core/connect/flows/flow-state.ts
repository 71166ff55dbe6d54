/**
 * The progress of a flow, as user interfaces see it. `created`, `opened` and `redirected` occur only if the user signs in at the
 * provider; flows with a form begin with `verifying`.
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

/** The states in which the user has not come back from the provider, and may never do so. */
export const BEFORE_RETURN = ['created', 'opened', 'redirected'] as const satisfies readonly FlowState[];

const ENDED: ReadonlySet<FlowState> = new Set(['succeeded', 'failed', 'cancelled', 'superseded']);

export function hasEnded(state: FlowState): boolean {
  return ENDED.has(state);
}

/**
 * Where the provider's page opens: in its own window, or in place of the page where the flow began. `client`: in a window of an
 * existing frontend, which receives the result by `ClientChannels`.
 */
export type FlowMode = 'popup' | 'redirect' | 'client';
