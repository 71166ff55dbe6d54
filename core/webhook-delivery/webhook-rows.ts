export interface WebhookTargetRow {
  readonly id: number;
  readonly environment_id: number;
  readonly slot: 'primary' | 'secondary' | 'override';
  /** Set for an override only; other targets use a URL of the environment. */
  readonly url: string | null;
  /** Number of consecutive failures. */
  readonly failures: number;
  readonly open_until: Date | null;
  readonly paused_at: Date | null;
  readonly pause_cause: string | null;
}

export interface WebhookMessageRow {
  readonly id: number;
  /** The value of the header `webhook-id`. */
  readonly message_id: string;
  readonly environment_id: number;
  readonly target_id: number;
  readonly type: string;
  readonly operation: string | null;
  /** Whether what an `auth` webhook reports has succeeded; null for other webhooks, and when it is not known. */
  readonly success: boolean | null;
  readonly connection_id: string | null;
  readonly provider_config_key: string | null;
  readonly status: 'pending' | 'delivered' | 'failed' | 'paused';
  readonly content: Buffer;
  /** Null: `content` is the whole webhook. */
  readonly payload_id: number | null;
  /** Size of the payload's `content`; 0 without a payload. */
  readonly payload_bytes: number;
  /** See `kit/tracing.ts`; null: each attempt begins a trace. */
  readonly trace_context: string | null;
  /** Number of attempts, counted before each; a replay starts again at 0. */
  readonly tries: number;
  readonly next_attempt_at: Date | null;
  /** When the webhook was last made due ahead of its schedule. */
  readonly early_at: Date | null;
  /** The webhook is in flight until this time at most. */
  readonly attempt_until: Date | null;
  readonly replayed_at: Date | null;
  readonly created_at: Date;
  readonly ended_at: Date | null;
}

/** JSON that webhooks and queued scripts refer to. */
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
  /** Null when there was no response. */
  readonly status: number | null;
  readonly duration_ms: number;
  readonly error: string | null;
  readonly is_replay: boolean;
}
