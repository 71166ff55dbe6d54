import type { JsonObject } from '#contract';
import type { FlowState } from './flow-state.ts';

export interface AuthorizationFlowRow {
  readonly id: number;
  readonly environment_id: number;
  readonly session_id: number;
  readonly integration_id: number;
  /** Null, like the next field, until the browser has been sent to the provider. */
  readonly state_hash: Buffer | null;
  readonly browser_hash: Buffer | null;
  readonly secrets: Buffer;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly used_at: Date | null;
  /** Null until the flow has ended. */
  readonly outcome: JsonObject | null;
  readonly exchanging_until: Date | null;
  /** The ID set by the user interface that began the flow. */
  readonly public_id: string | null;
  /** The encrypted tokens and options of a flow whose user has to choose. */
  readonly choice: Buffer | null;
  readonly choice_expires_at: Date | null;
  /** Null until the browser comes back, if no user interface began the flow. */
  readonly flow_state: FlowState | null;
  readonly version: number;
  /** Null if the flow was not begun by `POST /connect/flows`. */
  readonly mode: string | null;
  readonly launch_hash: Buffer | null;
}
