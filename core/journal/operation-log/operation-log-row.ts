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
  /** The ID of the request in which it began: the value of the header `Svc-Request-Id`. */
  readonly request_id: string | null;
  readonly summary: string;
  readonly http_status: number | null;
  readonly error_code: string | null;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  readonly messages: readonly unknown[];
  /** The words by which a search finds the operation (`terms.ts`): a `tsvector` as text. */
  readonly terms: string;
  /** The ID of the transaction that wrote the row. */
  readonly written_by: number;
}

export interface OperationCountRow {
  readonly environment_id: number;
  /** The beginning of the hour. */
  readonly hour: Date;
  /** The type of the operations, or the kind of an event that is not written as an operation when it succeeds (`delivery`). */
  readonly kind: string;
  readonly status: string;
  readonly count: number;
}
