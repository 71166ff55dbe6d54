/** A webhook in the inbox of an environment. */
export interface WebhookInboxRow {
  readonly id: number;
  readonly environment_id: number;
  readonly received_at: Date;
  readonly entry: Buffer;
}
