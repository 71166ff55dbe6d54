import { validityOf } from '../auth-modes/validity.ts';
import type { Connection } from '../connections/connection.ts';
import { unknownConnection } from '../connections/connections.ts';
import { subjectOf } from '../credentials/call-provider.ts';
import { lastCredentials } from '../credentials/last-credentials.ts';
import type { ConnectionSource } from '../proxy/resolve.ts';
import { prepareUpstream, type Upstream } from '../proxy/upstream.ts';
import type { ScriptDeps } from './deps.ts';
import type { RunSubject } from './subject.ts';

/** Returns the source of connections for the proxied calls of one run: always the run's own connection. */
export function connectionSourceOf(deps: ScriptDeps, subject: RunSubject): ConnectionSource {
  if (subject.kind === 'live') return liveSource(deps, subject);
  const { integration } = subject;
  return {
    find: async () => prepareUpstream(deps, { integration, connection: subject.connection }),
    fresh: subject.kind === 'marked' ? () => renewedOnce(deps, subject) : async (candidate) => candidate,
    touch: () => undefined,
  };
}

function liveSource({ proxy: { connections } }: ScriptDeps, subject: RunSubject): ConnectionSource {
  return {
    find: () => findSame(connections, subject),
    fresh: async (connection, options) => {
      // Stored in the subject, so that the credentials used by the run can be removed from its log.
      subject.connection = await connections.fresh(connection, options);
      return subject.connection;
    },
    touch: (id) => connections.touch(id),
  };
}

/** Finds the run's connection; fails if another connection now has its ID. */
async function findSame(connections: ConnectionSource, { connection }: RunSubject): Promise<Upstream> {
  const { environmentId, providerConfigKey, connectionId } = connection;
  const found = await connections.find(environmentId, providerConfigKey, connectionId);
  if (found.connection.id !== connection.id) throw unknownConnection(connection);
  return found;
}

/**
 * Refreshes the credentials of a connection that is marked deleted, since nobody else does, and keeps them in the subject for the
 * clean-up at the provider that follows the script.
 */
async function renewedOnce(deps: ScriptDeps, subject: RunSubject): Promise<Connection> {
  const { connection, integration } = subject;
  const credentials = await lastCredentials(deps, subjectOf(deps, connection, integration));
  if (credentials === connection.credentials) return connection;
  const { expiresAt } = validityOf(credentials);
  subject.connection = { ...connection, credentials, expiresAt: expiresAt ?? null };
  return subject.connection;
}
