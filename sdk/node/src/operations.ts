// Written by `npm run schema` from the OpenAPI document of the service.

/** Where each operation is. */
export const OPERATIONS = {
  createApiKey: { method: 'POST', path: '/environment/api-keys' },
  createConnectSession: { method: 'POST', path: '/connect/sessions' },
  createEnvironment: { method: 'POST', path: '/environments' },
  createIntegration: { method: 'POST', path: '/integrations' },
  createQuickstartIntegration: { method: 'POST', path: '/integrations/quickstart' },
  createReconnectSession: { method: 'POST', path: '/connect/sessions/reconnect' },
  deleteApiKey: { method: 'DELETE', path: '/environment/api-keys' },
  deleteConnection: { method: 'DELETE', path: '/connections/{connection_id}' },
  deleteEnvironment: { method: 'DELETE', path: '/environments/{id}' },
  deleteIntegration: { method: 'DELETE', path: '/integrations/{uniqueKey}' },
  getConnection: { method: 'GET', path: '/connections/{connection_id}' },
  getIntegration: { method: 'GET', path: '/integrations/{uniqueKey}' },
  getLog: { method: 'GET', path: '/logs/{id}' },
  getProvider: { method: 'GET', path: '/providers/{slug}' },
  importConnection: { method: 'POST', path: '/connections' },
  listConnections: { method: 'GET', path: '/connections' },
  listEnvironmentVariables: { method: 'GET', path: '/environment-variables' },
  listEnvironments: { method: 'GET', path: '/environments' },
  listIntegrations: { method: 'GET', path: '/integrations' },
  listProviders: { method: 'GET', path: '/providers' },
  setMetadata: { method: 'POST', path: '/connections/metadata' },
  updateConnection: { method: 'PATCH', path: '/connections/{connection_id}' },
  updateIntegration: { method: 'PATCH', path: '/integrations/{uniqueKey}' },
  updateMetadata: { method: 'PATCH', path: '/connections/metadata' },
} as const;
