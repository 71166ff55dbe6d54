import type { Client } from '../app/client.ts';
import type { Reply } from '../app/replies.ts';
import { pathOf } from '../app/router.ts';

/** Identifies a connection. Its ID is unique only within its integration. */
export interface Address {
  readonly environment: string;
  readonly integration: string;
  readonly id: string;
}

export type ReconnectSession = Reply<'createReconnectSession'>['data'];

/** Creates a session in which the user of a connection authorizes it again. */
export async function createReconnectSession(
  client: Client,
  { environment, integration, id }: Address,
): Promise<ReconnectSession> {
  const path = pathOf(['api', 'ui', 'e', environment, 'connect', 'sessions', 'reconnect']);
  const body = { connection_id: id, integration_id: integration };
  return (await client.send<Reply<'createReconnectSession'>>('POST', path, body)).data;
}
