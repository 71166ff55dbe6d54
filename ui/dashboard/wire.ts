/** What every page of the dashboard is told about who has signed in, and where. */

export type Role = 'admin' | 'developer' | 'viewer';

export interface Environment {
  readonly name: string;
  readonly is_production: boolean;
}

export interface Me {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly has_password: boolean;
  /** Until when the password counts as just entered. */
  readonly confirmed_until: string | null;
  readonly environments: readonly Environment[];
  readonly version: string;
  readonly base_url: string;
}

/** Every body that is not a list. */
export interface One<T> {
  readonly data: T;
}

export interface Many<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
  /** Where it is counted. */
  readonly total?: number;
}

export const ME = 'api/ui/me';
