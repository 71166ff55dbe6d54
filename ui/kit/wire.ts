/** This module describes the data that the service and the connect window send each other. */

export type Way = 'sign_in' | 'form' | 'none';
export type Theme = 'system' | 'light' | 'dark';

export interface Integration {
  readonly unique_key: string;
  readonly display_name: string;
  readonly provider: string;
  readonly logo_url: string;
  readonly categories: readonly string[];
  readonly way: Way;
}

export interface Account {
  readonly name?: string;
  readonly email?: string;
}

export interface Brand {
  readonly name: string | null;
  readonly logo_url: string | null;
  readonly color: string | null;
  readonly radius: number | null;
  readonly theme: Theme;
  /** The language (BCP 47); null means the browser's. */
  readonly language: string | null;
}

export interface Session {
  readonly endUser: { readonly email?: string | null; readonly display_name?: string | null } | null;
  readonly expires_at: string;
  readonly integrations: readonly Integration[];
  readonly brand: Brand;
  readonly return_url: string | null;
  readonly reconnect: { readonly integration: string; readonly account: Account | null } | null;
  readonly is_production: boolean;
}

export type FieldPath = readonly ['params' | 'credentials', string];

export interface Field {
  readonly path: FieldPath;
  readonly title: string;
  readonly description?: string;
  readonly example?: string;
  readonly secret?: boolean;
  readonly multiline?: boolean;
  /** Set if blanks around the value are part of it. */
  readonly verbatim?: true;
  readonly format?: 'hostname' | 'uri' | 'uuid' | 'email' | 'header_name';
  readonly pattern?: string;
  readonly pattern_message?: string;
  readonly hint?: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly enum?: string[];
  readonly warnings?: Readonly<Record<string, string>>;
  readonly optional?: boolean;
  readonly optional_with?: string;
  readonly default_value?: string;
  readonly help_url?: string;
  readonly visible_when?: { readonly field: string; readonly equals: string };
}

/** The form of an integration, and how a user connects it. */
export interface ConnectForm {
  readonly unique_key: string;
  readonly display_name: string;
  readonly logo_url: string;
  readonly way: Way;
  readonly sign_in_host: string | null;
  readonly guide_url: string | null;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
  readonly fields: readonly Field[];
  readonly is_reconnect: boolean;
  readonly callback_url: string | null;
}

export type FlowState =
  | 'created'
  | 'opened'
  | 'redirected'
  | 'returned'
  | 'exchanging'
  | 'verifying'
  | 'choosing'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'superseded';

export interface WireFault {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}

export interface FlowError {
  readonly code: string;
  readonly message: string | null;
  readonly fields: readonly WireFault[];
  readonly log_id: string | null;
  readonly retry_after: number | null;
}

export interface Flow {
  readonly id: string;
  readonly integration_id: string;
  readonly state: FlowState;
  readonly version: number;
  readonly error: FlowError | null;
  readonly account: Account | null;
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly is_limited: boolean;
  readonly connection_id?: string;
}

export interface NewFlow {
  readonly id: string;
  readonly integration_id: string;
  readonly launch_id?: string;
  readonly mode?: 'popup' | 'redirect';
  readonly params?: Readonly<Record<string, string>>;
  readonly credentials?: Readonly<Record<string, string>>;
}

const ENDED: readonly FlowState[] = ['succeeded', 'failed', 'cancelled', 'superseded'];

const BEFORE_RETURN: readonly FlowState[] = ['created', 'opened', 'redirected'];

/** Returns whether the user has come back from the provider, or did not need to go there. */
export function hasReturned({ state }: Pick<Flow, 'state'>): boolean {
  return !BEFORE_RETURN.includes(state);
}

export function hasEnded({ state }: Pick<Flow, 'state'>): boolean {
  return ENDED.includes(state);
}
