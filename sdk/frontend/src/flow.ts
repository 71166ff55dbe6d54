import type { FieldError } from './auth-error.ts';

/** One of the sites, tenants or properties to which an authorization gives access, and among which the user chooses. */
export interface Choice {
  readonly id: string;
  readonly label: string;
}

/** One attempt to connect, as the service reports it. */
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
  // Matches succeeded, superseded, failed, cancelled; not created, choosing, and the other states on the way.
  return /^([sf]|ca)/.test(state);
}
