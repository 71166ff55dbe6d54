import type { Knex } from 'knex';
import type { KeyRing } from '../../core/kit/key-ring.ts';
import type { EnvironmentRow } from '../../core/tenants/environments/environment-row.ts';
import { type EnvironmentChanges, updateEnvironment } from '../../core/tenants/environments/environment-store.ts';
import { readContent } from '../../core/webhook-delivery/content.ts';
import { messageRows } from './message-rows.ts';

/** The ID of the environment that an installation creates at its first start. */
const FIRST = 1;
/** The address of an application, for tests that examine which webhooks would be sent, but do not send them. */
export const APPLICATION = 'https://app.example/webhooks';

/** A webhook that is stored, whether it still waits to be sent or not. */
export interface StoredWebhook {
  readonly id: string;
  /** The target: `primary`, `secondary`, or the URL that a connection's webhooks are sent to instead. */
  readonly target: string;
  readonly connectionId: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape
  readonly body: any;
}

interface StoredWebhookRow {
  readonly id: number;
  readonly environment_id: number;
  readonly message_id: string;
  readonly connection_id: string | null;
  readonly content: Buffer;
  readonly payload: Buffer | null;
  readonly slot: string;
  readonly url: string | null;
}

/** Changes the webhook settings of an environment. By default, all webhooks are sent, to one address. */
export async function enableWebhooks(db: Knex, changes: EnvironmentChanges = {}, environmentId = FIRST): Promise<void> {
  const everything: Partial<EnvironmentRow> = { on_new_connection: true, on_refresh: true, on_deletion: true };
  await updateEnvironment(db, environmentId, {
    webhook_url: APPLICATION,
    webhook_url_secondary: null,
    ...everything,
    ...changes,
  });
}

/** Returns all webhooks so far, the oldest first. */
export async function storedWebhooks({ db, keys }: { readonly db: Knex; readonly keys: KeyRing }): Promise<StoredWebhook[]> {
  const rows: StoredWebhookRow[] = await messageRows(db)
    .join('webhook_targets as target', 'target.id', 'message.target_id')
    .select('target.slot', 'target.url');
  return rows.map((row) => ({
    id: row.message_id,
    target: row.url ?? row.slot,
    connectionId: row.connection_id,
    body: JSON.parse(readContent(keys, row).body),
  }));
}
