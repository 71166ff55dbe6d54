import type { CallOptions } from './caller.ts';
import type { Answer, Body } from './operation-types.ts';
import { Resource } from './resource.ts';

/** Permission for one end user to connect, for 30 minutes. */
export type ConnectSession = Answer<'createConnectSession'>['data'];

/** Permissions for end users to connect. */
export class ConnectSessions extends Resource {
  /** For a new connection. */
  create(session: Body<'createConnectSession'> = {}, options: CallOptions = {}): Promise<Answer<'createConnectSession'>> {
    return this.caller.call('createConnectSession', { body: session, ...options });
  }

  /** For an existing connection: its user reauthorizes it, and it keeps its data. */
  reconnect(session: Body<'createReconnectSession'>, options: CallOptions = {}): Promise<Answer<'createReconnectSession'>> {
    return this.caller.call('createReconnectSession', { body: session, ...options });
  }
}
