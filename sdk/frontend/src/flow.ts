import type { FieldError } from './auth-error.ts';

/** What a user chooses from when one authorization opens several sites, tenants or properties. */
export interface Choice {
  readonly id: string;
  readonly label: string;
}

/** One attempt to connect, as the service tells it. */
export interface Flow {
  readonly id: string;
  readonly integration_id: string;
  readonly state: string;
  readonly version: number;
  readonly error: {
    readonly code: string;
    readonly message: string | null;
    readonly fields: readonly FieldError[];
    readonly log_id: string | null;
  } | null;
  readonly options: readonly Choice[];
  readonly connection_id?: string;
}

export function hasEnded({ state }: Flow): boolean {
  // succeeded, superseded, failed, cancelled; not created, choosing, and the others on the way.
  return /^([sf]|ca)/.test(state);
}
