import type { Connection } from '../connections/connection.ts';
import type { Integration } from '../connections/integrations/integration.ts';

/**
 * The connection that a script runs for, fixed before the script starts.
 *
 * - `live`: a stored connection, read again by each call.
 * - `candidate`: a connection that is not stored yet. Its credentials cannot be refreshed, and nothing can be written.
 * - `marked`: a connection that is marked deleted. Nobody else may use its credentials; if the run has to refresh them,
 * `connection` gets the new ones.
 */
export interface RunSubject {
  readonly kind: 'live' | 'candidate' | 'marked';
  readonly integration: Integration;
  connection: Connection;
}
