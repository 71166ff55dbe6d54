import type { Connection } from '../connections/connection.ts';
import type { Integration } from '../connections/integrations/integration.ts';

/**
 * The connection that a script runs for, fixed before it starts.
 *
 * - `live`: a stored connection, read again by each call.
 * - `candidate`: a connection that is not stored yet. Its credentials cannot be renewed, and nothing can be written.
 * - `marked`: a connection that is marked deleted. No one else may use its credentials; `connection` gets those that the run had
 *   to renew.
 */
export interface RunSubject {
  readonly kind: 'live' | 'candidate' | 'marked';
  readonly integration: Integration;
  connection: Connection;
}
