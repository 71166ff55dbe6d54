import type { ConnectionFacts, JsonObject, ProviderPlugin } from '#contract';
import type { Operation } from '../activity/activity.ts';
import type { ModeInput, StoredCredentials } from '../auth-modes/auth-mode.ts';
import { modeOf } from '../auth-modes/index.ts';
import type { Connection } from '../connections/connection.ts';
import type { Integration } from '../integrations/integration.ts';
import { secretPart } from '../integrations/secret-fields.ts';

/** Of a connection that is not stored. */
const NO_ROW = 0;

/** A connection as it would be, before anything is written. */
export interface Candidate {
  readonly integration: Integration;
  readonly input: ModeInput;
  readonly plugin: ProviderPlugin;
  readonly credentials: StoredCredentials;
  readonly facts: ConnectionFacts;
  readonly subscription: JsonObject;
  /** The connection that is authorized again. */
  readonly known: Connection | undefined;
  /** Configuration that stands against whatever is discovered. */
  readonly fixedConfig: JsonObject;
  /** What is said of it anew. */
  readonly said: Partial<Pick<Connection, 'endUser' | 'webhookUrlOverride'>>;
  /** Of the log entry of its authorization or import. */
  readonly note: Operation['note'];
}

/** The connection that would be written, as far as that is known by now. */
export function candidateConnection(candidate: Candidate, discovered: JsonObject, now: Date): Connection {
  const { integration, input, credentials, facts, subscription, known, fixedConfig, said } = candidate;
  const connectionConfig = { ...facts.connectionConfig, ...discovered, ...fixedConfig };
  return {
    id: known?.id ?? NO_ROW,
    environmentId: integration.environmentId,
    integrationId: integration.id,
    connectionId: facts.connectionId,
    providerConfigKey: integration.uniqueKey,
    provider: facts.provider,
    credentials,
    generation: 0,
    expiresAt: modeOf(credentials).validity(credentials).expiresAt ?? null,
    refreshAfter: null,
    refreshedAt: now,
    state: 'healthy',
    authErrorLogId: null,
    metadata: facts.metadata,
    connectionConfig,
    secretConfig: secretPart(input.definition.connection_config, connectionConfig),
    tags: facts.tags,
    endUser: said.endUser ?? known?.endUser ?? null,
    webhookUrlOverride: said.webhookUrlOverride ?? known?.webhookUrlOverride ?? null,
    subscription,
    createdAt: known?.createdAt ?? now,
    updatedAt: now,
    lastFetchedAt: known?.lastFetchedAt ?? now,
  };
}
