import type { Connection } from '../connections/connection.ts';
import type { Integration } from '../integrations/integration.ts';

/**
 * For whom a script runs, decided before it starts; nothing that it says changes it.
 *
 * - `live`: a stored connection. Each call looks at it anew.
 * - `candidate`: a connection as it would be. Its credentials are stored nowhere, so they cannot be renewed, and nothing can be
 *   written.
 * - `marked`: a connection that is marked deleted. Nobody else may use its credentials; those that the run had to renew
 *   `connection` has when it is over.
 */
export interface RunSubject {
  readonly kind: 'live' | 'candidate' | 'marked';
  readonly integration: Integration;
  connection: Connection;
}
