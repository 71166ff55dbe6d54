import type { Json } from '#contract';

export interface AuditEntryRow {
  readonly sequence: number;
  readonly at: Date;
  /** The account; null for an entry that was recorded before the first account was created. */
  readonly account_id: number | null;
  /** The environment, which may have been deleted since. */
  readonly environment_id: number | null;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly action: string;
  readonly subject_type: string;
  readonly subject_id: string | null;
  readonly subject_name: string | null;
  readonly facts: Readonly<Record<string, Json>>;
  readonly address: string | null;
  /** The HMAC of the entry before; empty for the first entry. */
  readonly previous_mac: Buffer;
  readonly mac: Buffer;
  readonly key_id: number;
}

/** The table's only row. It says which entry is the last, so that missing entries at the end are noticed. */
export interface AuditHeadRow {
  readonly sequence: number;
  readonly mac: Buffer | null;
  readonly key_id: number | null;
  /** The HMAC of the fields above, which proves that they were not altered; null before the first entry. */
  readonly proof: Buffer | null;
}

export interface AuditKeyRow {
  readonly id: number;
  readonly secret: Buffer;
  /** The ID of the encryption key that was the current one when this key was created. */
  readonly made_under: string;
  readonly created_at: Date;
}
