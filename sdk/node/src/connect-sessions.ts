import type { CallOptions } from './caller.ts';
import type { Body, ResponseBody } from './operation-types.ts';
import { Resource } from './resource.ts';

/** A connect session: the permission for one end user to connect, for 30 minutes. */
export type ConnectSession = ResponseBody<'createConnectSession'>['data'];

/** Connect sessions: permissions for end users to connect. */
export class ConnectSessions extends Resource {
  /** Creates a session for a new connection. */
  create(session: Body<'createConnectSession'> = {}, options: CallOptions = {}): Promise<ResponseBody<'createConnectSession'>> {
    return this.caller.call('createConnectSession', { body: session, ...options });
  }

  /** Creates a session for an existing connection: its user reauthorizes it, and it keeps its data. */
  reconnect(session: Body<'createReconnectSession'>, options: CallOptions = {}): Promise<ResponseBody<'createReconnectSession'>> {
    return this.caller.call('createReconnectSession', { body: session, ...options });
  }
}
