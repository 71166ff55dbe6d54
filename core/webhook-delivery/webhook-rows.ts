export interface WebhookTargetRow {
  readonly id: number;
  readonly environment_id: number;
  readonly slot: 'primary' | 'secondary' | 'override';
  /** Of an override; the others are the environment's. */
  readonly url: string | null;
  /** In a row. */
  readonly failures: number;
  readonly open_until: Date | null;
  readonly paused_at: Date | null;
  readonly pause_cause: string | null;
}

export interface WebhookMessageRow {
  readonly id: number;
  /** What `webhook-id` carries. */
  readonly message_id: string;
  readonly environment_id: number;
  readonly target_id: number;
  readonly type: string;
  readonly operation: string | null;
  readonly connection_id: string | null;
  readonly provider_config_key: string | null;
  readonly status: 'pending' | 'delivered' | 'failed' | 'paused';
  readonly content: Buffer;
  /** Null: `content` is all of it. */
  readonly payload_id: number | null;
  /** Of the payload's `content`; 0 without one. */
  readonly payload_bytes: number;
  /** Counted before each; a replay begins anew. */
  readonly tries: number;
  readonly next_attempt_at: Date | null;
  /** When it was last made due ahead of its schedule. */
  readonly early_at: Date | null;
  /** In flight until then at most. */
  readonly attempt_until: Date | null;
  readonly replayed_at: Date | null;
  readonly created_at: Date;
  readonly ended_at: Date | null;
}

/** JSON that messages and jobs of scripts refer to. */
export interface WebhookPayloadRow {
  readonly id: number;
  readonly environment_id: number;
  readonly content: Buffer;
}

export interface WebhookAttemptRow {
  readonly id: number;
  readonly message_id: number;
  readonly at: Date;
  readonly url: string;
  /** Null: there was no response. */
  readonly status: number | null;
  readonly duration_ms: number;
  readonly error: string | null;
  readonly is_replay: boolean;
}
