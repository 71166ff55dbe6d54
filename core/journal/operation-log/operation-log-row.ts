export interface OperationLogRow {
  readonly id: string;
  readonly environment_id: number;
  readonly type: string;
  readonly operation: string;
  readonly status: string;
  readonly connection_id: string | null;
  readonly provider_config_key: string | null;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly summary: string;
  readonly http_status: number | null;
  readonly error_code: string | null;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  readonly messages: readonly unknown[];
  /** A `tsvector` as text. */
  readonly terms: string;
  /** The transaction. */
  readonly written_by: number;
}

export interface OperationCountRow {
  readonly environment_id: number;
  /** Its beginning. */
  readonly hour: Date;
  /** The type of operations, or what has no operation when it succeeds. */
  readonly kind: string;
  readonly status: string;
  readonly count: number;
}
