import type { CallOptions } from './caller.ts';
import type { Body, ResponseBody } from './operation-types.ts';
import { Resource } from './resource.ts';

/** A connect session: permission for one end user to connect, valid for 30 minutes. */
export type ConnectSession = ResponseBody<'createConnectSession'>['data'];

/** Connect sessions, which permit end users to connect. */
export class ConnectSessions extends Resource {
  /** Creates a session for a new connection. */
  create(session: Body<'createConnectSession'> = {}, options: CallOptions = {}): Promise<ResponseBody<'createConnectSession'>> {
    return this.caller.call('createConnectSession', { body: session, ...options });
  }

  /** Creates a session in which the end user reauthorizes an existing connection. The connection keeps its data. */
  reconnect(session: Body<'createReconnectSession'>, options: CallOptions = {}): Promise<ResponseBody<'createReconnectSession'>> {
    return this.caller.call('createReconnectSession', { body: session, ...options });
  }
}
