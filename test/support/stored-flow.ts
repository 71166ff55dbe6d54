import { randomUUID } from 'node:crypto';
import type { StoredOAuth2 } from '../../core/auth-modes/oauth2/stored.ts';
import { keepForChoice } from '../../core/connect/flows/choice-store.ts';
import { claimFlow, insertFlow } from '../../core/connect/flows/flow-store.ts';
import { cancelFlow } from '../../core/connect/flows/window-flow-store.ts';
import { sessionCaller } from '../../core/connections/connect-sessions/session-caller.ts';
import { integrationByKey } from '../../core/connections/integrations/integration-store.ts';
import { hashSecret } from '../../core/kit/random-id.ts';
import type { TestApp } from './app.ts';
import { canary } from './canaries.ts';
import { createSession } from './connect.ts';
import type { Client } from './http-client.ts';

/**
 * Stores a connect session with two flows. In one, the end user has returned from the provider and must choose an option; the
 * other was canceled.
 */
export async function storeChoosingFlow(
  app: TestApp,
  { api, environmentId, key }: { readonly api: Client; readonly environmentId: number; readonly key: string },
): Promise<{ readonly sessionToken: string; readonly flowId: string; readonly endedFlowId: string }> {
  const sessionToken = await createSession({ ...app, api });
  const session = (await sessionCaller({ ...app.services, ownOrigin: app.url }, sessionToken))?.session;
  const integration = await integrationByKey(app.services, environmentId, key);
  if (session === undefined || integration === undefined) throw new Error('there is no such session or integration');
  const [stateHash, browserHash, flowId] = [hashSecret(randomUUID()), hashSecret(randomUUID()), randomUUID()];
  const expiresAt = session.expiresAt;
  const common = { environmentId, sessionId: session.id, integrationId: integration.id, connectionConfig: {}, modeSecrets: {} };
  await insertFlow(app.services, { ...common, stateHash, browserHash, publicId: flowId, expiresAt });
  const flow = await claimFlow(app.services, { stateHash, browserHashes: [browserHash] }, app.clock.now());
  if (flow === undefined) throw new Error('the flow could not be claimed');
  await keepForChoice(app.services, flow, {
    credentials: {
      type: 'OAUTH2',
      accessToken: canary('token that waits for a choice'),
      receivedAt: app.clock.now().toISOString(),
      raw: {},
    } as StoredOAuth2,
    added: {},
    found: {},
    options: [{ id: 'site-1', label: 'One' }],
  });
  const endedFlowId = randomUUID();
  const states = { stateHash: hashSecret(randomUUID()), browserHash };
  await insertFlow(app.services, { ...common, ...states, publicId: endedFlowId, expiresAt });
  const ended = { flowId: endedFlowId, outcome: { failure: 'cancelled', name: '', audience: null } } as const;
  await cancelFlow(app.services.db, session, ended);
  return { sessionToken, flowId, endedFlowId };
}
