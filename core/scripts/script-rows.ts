import type { Json } from '#contract';

export interface ScriptRow {
  readonly id: number;
  readonly environment_id: number;
  readonly integration_id: number;
  readonly event: string;
  readonly enabled: boolean;
  /** Null only inside the transaction that creates the script. */
  readonly active_version: number | null;
  readonly created_at: Date;
}

export interface ScriptVersionRow {
  readonly id: number;
  readonly environment_id: number;
  readonly script_id: number;
  readonly version: number;
  readonly language: 'typescript' | 'javascript';
  /** The source as its author wrote it. */
  readonly source: Buffer;
  /** The code that is run. */
  readonly compiled: Buffer;
  readonly sha256: Buffer;
  readonly webhook_subscriptions: string[];
  readonly created_at: Date;
}

/** A queued run of a script, until it has ended. */
export interface QueuedScriptRow {
  readonly id: number;
  readonly environment_id: number;
  /** Row ID of the connection. */
  readonly connection_id: number;
  /** The event for a webhook script, encrypted; null for the script of a new connection. */
  readonly webhook: Buffer | null;
  readonly payload_id: number | null;
  /** See `kit/tracing.ts`; null: the run begins a trace. */
  readonly trace_context: string | null;
  readonly failures: number;
  readonly attempts: number;
  readonly due_at: Date;
  readonly claimed_until: Date | null;
  readonly created_at: Date;
}

export interface ScriptRunRow {
  readonly id: string;
  readonly environment_id: number;
  readonly script_id: number;
  readonly version: number;
  readonly connection_id: string | null;
  readonly status: 'done' | 'failed' | 'killed';
  readonly cause: string | null;
  readonly started_at: Date;
  readonly duration_ms: number;
  readonly memory_mb: number;
  readonly log: readonly Json[];
}
