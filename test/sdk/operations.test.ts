import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { publicRoutes } from '../../core/api/routes.ts';
import { openApiDocument } from '../../core/server/openapi/document.ts';
import { generatedFiles } from '../../sdk/node/generated-files.ts';
import { type OperationId, Svc } from '../../sdk/node/src/svc.ts';
import { serve } from '../support/loopback-server.ts';
import { use } from '../support/use.ts';

const PROXY_METHODS = ['Get', 'Post', 'Put', 'Patch', 'Delete', 'Head', 'Options'] as const;
type Called = OperationId | `proxy${(typeof PROXY_METHODS)[number]}`;

const one = { connection_id: 'c', provider_config_key: 'k' };
const script = { unique_key: 'k', event: 'on-webhook' } as const;

/** The client's method for each operation. The type check fails if an operation of the service is missing. */
const CALLS: Readonly<Record<Called, (svc: Svc) => Promise<unknown>>> = {
  listConnections: (svc) => svc.connections.list(),
  getConnection: (svc) => svc.connections.get(one),
  importConnection: (svc) => svc.connections.import({ provider_config_key: 'k', credentials: { type: 'NONE' } }),
  updateConnection: (svc) => svc.connections.patch(one, { tags: {} }),
  deleteConnection: (svc) => svc.connections.delete(one),
  setMetadata: (svc) => svc.connections.setMetadata({ ...one, metadata: {} }),
  updateMetadata: (svc) => svc.connections.updateMetadata({ ...one, metadata: {} }),
  listIntegrations: (svc) => svc.integrations.list(),
  getIntegration: (svc) => svc.integrations.get('k'),
  createIntegration: (svc) => svc.integrations.create({ unique_key: 'k', provider: 'p' }),
  createQuickstartIntegration: (svc) => svc.integrations.quickstart({ unique_key: 'k', provider: 'p' }),
  updateIntegration: (svc) => svc.integrations.update('k', { display_name: 'K' }),
  deleteIntegration: (svc) => svc.integrations.delete('k'),
  listScripts: (svc) => svc.scripts.list('k'),
  deployScript: (svc) => svc.scripts.deploy(script, { source: 's', language: 'javascript' }),
  updateScript: (svc) => svc.scripts.update(script, { enabled: false }),
  deleteScript: (svc) => svc.scripts.delete(script),
  listScriptRuns: (svc) => svc.scripts.runs(script),
  listProviders: (svc) => svc.providers.list(),
  getProvider: (svc) => svc.providers.get('p'),
  createConnectSession: (svc) => svc.connectSessions.create(),
  createReconnectSession: (svc) => svc.connectSessions.reconnect({ connection_id: 'c', integration_id: 'k' }),
  listEnvironments: (svc) => svc.environments.list(),
  createEnvironment: (svc) => svc.environments.create({ name: 'e' }),
  deleteEnvironment: (svc) => svc.environments.delete(1),
  getConnectionHealth: (svc) => svc.connections.health({ connection_id: 'c', provider_config_key: 'k' }),
  listApiKeys: (svc) => svc.apiKeys.list({ environment_id: 1 }),
  createApiKey: (svc) => svc.apiKeys.create({ environment_id: 1, display_name: 'n' }),
  deleteApiKey: (svc) => svc.apiKeys.delete({ environment_id: 1, key_id: 1 }),
  listEnvironmentVariables: (svc) => svc.environmentVariables.list(),
  listLogs: (svc) => svc.logs.list(),
  getLog: (svc) => svc.logs.get('l'),
  listWebhookMessages: (svc) => svc.webhookMessages.list(),
  listWebhookInbox: (svc) => svc.webhookInbox.list(),
  clearWebhookInbox: (svc) => svc.webhookInbox.clear(),
  getWebhookMessage: (svc) => svc.webhookMessages.get('m'),
  replayWebhookMessage: (svc) => svc.webhookMessages.replay('m'),
  replayWebhookMessages: (svc) => svc.webhookMessages.replayAll({ status: 'failed' }),
  sendTestWebhookMessage: (svc) => svc.webhookMessages.sendTest('auth'),
  proxyGet: (svc) => svc.proxy.get('/x', one),
  proxyPost: (svc) => svc.proxy.post('/x', one),
  proxyPut: (svc) => svc.proxy.put('/x', one),
  proxyPatch: (svc) => svc.proxy.patch('/x', one),
  proxyDelete: (svc) => svc.proxy.delete('/x', one),
  proxyHead: (svc) => svc.proxy.head('/x', one),
  proxyOptions: (svc) => svc.proxy.options('/x', one),
};

describe('the Node client', () => {
  it('is generated from the current interface', async () => {
    for (const [name, text] of Object.entries(await generatedFiles())) {
      const written = readFileSync(new URL(`../../sdk/node/src/${name}`, import.meta.url), 'utf8');
      expect(written === text, `${name} is out of date: run npm run schema`).to.equal(true);
    }
  });
});

describe('the methods of the Node client', function () {
  const received: string[] = [];
  const server = use(this, () =>
    serve(({ method = '', url = '' }, response) => {
      received.push(`${method} ${url.split('?')[0]}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end(method === 'HEAD' ? '' : '{}');
    }),
  );

  const operations = Object.entries(openApiDocument(publicRoutes, 'https://svc.example.net').paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security, deprecated }]) => deprecated === undefined && security.some((scheme) => 'apiKey' in scheme))
      .map(([method, { operationId }]) => ({ method: method.toUpperCase(), path, operationId })),
  );

  it('cover all operations that accept an API key', () => {
    expect(operations.map(({ operationId }) => operationId)).to.have.members(Object.keys(CALLS));
  });

  for (const { method, path, operationId } of operations) {
    it(`call ${operationId}: ${method} ${path}`, async () => {
      received.length = 0;
      await callOf(operationId)(new Svc({ baseUrl: server.url, apiKey: 'key' }));
      const [line, ...more] = received;
      expect(more).to.deep.equal([]);
      expect(line).to.match(new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));
    });
  }
});

function callOf(operationId: string): (svc: Svc) => Promise<unknown> {
  const call = Object.entries(CALLS).find(([name]) => name === operationId)?.[1];
  if (call === undefined) throw new Error('the client has no method for it');
  return call;
}
