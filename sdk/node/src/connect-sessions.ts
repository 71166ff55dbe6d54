import type { CallOptions } from './caller.ts';
import type { Body, ResponseBody } from './operation-types.ts';
import { Resource } from './resource.ts';

/** Permission for one end user to connect, for 30 minutes. */
export type ConnectSession = ResponseBody<'createConnectSession'>['data'];

/** Permissions for end users to connect. */
export class ConnectSessions extends Resource {
  /** For a new connection. */
  create(session: Body<'createConnectSession'> = {}, options: CallOptions = {}): Promise<ResponseBody<'createConnectSession'>> {
    return this.caller.call('createConnectSession', { body: session, ...options });
  }

  /** For an existing connection: its user reauthorizes it, and it keeps its data. */
  reconnect(session: Body<'createReconnectSession'>, options: CallOptions = {}): Promise<ResponseBody<'createReconnectSession'>> {
    return this.caller.call('createReconnectSession', { body: session, ...options });
  }
}
