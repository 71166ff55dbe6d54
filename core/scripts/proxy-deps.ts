import { modeOf } from '../auth-modes/index.ts';
import type { Connection } from '../connections/connection.ts';
import type { FoundConnection } from '../connections/connection-cache.ts';
import { unknownConnection } from '../connections/connections.ts';
import { subjectOf } from '../credentials/call-provider.ts';
import { lastCredentials } from '../credentials/last-credentials.ts';
import type { ProxyDeps } from '../proxy/proxy.ts';
import type { ScriptDeps } from './deps.ts';
import type { RunSubject } from './subject.ts';

/** The proxy for one run: whatever a call names, it finds the run's own connection. */
export function proxyDepsOf(deps: ScriptDeps, subject: RunSubject): ProxyDeps {
  const { way, integration } = subject;
  if (way === 'live') return { ...deps, proxyLookup: () => lookUp(deps, subject), fresh: keepingWhatIsNew(deps, subject) };
  const proxyLookup = async () => ({ integration, connection: subject.connection });
  const fresh = way === 'marked' ? () => renewedOnce(deps, subject) : async (candidate: Connection) => candidate;
  return { ...deps, proxyLookup, fresh, touch: () => undefined };
}

/** Not another one that has its ID meanwhile. */
async function lookUp(deps: ScriptDeps, { connection }: RunSubject): Promise<FoundConnection> {
  const { environmentId, providerConfigKey, connectionId } = connection;
  const found = await deps.proxyLookup(environmentId, providerConfigKey, connectionId);
  if (found.connection.id !== connection.id) throw unknownConnection(connection);
  return found;
}

/** The run knows which credentials were used for it, so that they can be taken out of its log. */
function keepingWhatIsNew(deps: ScriptDeps, subject: RunSubject): ProxyDeps['fresh'] {
  return async (connection, options) => {
    subject.connection = await deps.fresh(connection, options);
    return subject.connection;
  };
}

/** Nobody else renews them any more, and they are not stored: kept for what else is to be done with them. */
async function renewedOnce(deps: ScriptDeps, subject: RunSubject): Promise<Connection> {
  const { connection, integration } = subject;
  const credentials = await lastCredentials(deps, subjectOf(deps, connection, integration));
  if (credentials === connection.credentials) return connection;
  const { expiresAt } = modeOf(credentials).validity(credentials);
  subject.connection = { ...connection, credentials, expiresAt: expiresAt ?? null };
  return subject.connection;
}
