/** Example objects shared by the documentation of several endpoints. */

/** The key of an integration, and the name of its provider. */
export const INTEGRATION_KEY = 'github';
export const CONNECTION_ID = '7d0f8a52-3a43-4b2c-9c57-5f5c2a1f0b6e';
export const FLOW_ID = '6b0f6e3c-52a1-4f0e-9d65-1f3b8f0f2a44';
export const LOG_ID = '019bc5d1-8000-7a0e-8f43-2f9e6a9b7a10';
export const LOG_CURSOR = 'AZvF0YAAeg6PQy-eapt6EA';

const FIRST = '2026-01-15T09:30:00.000Z';
const LATER = '2026-01-16T08:00:00.000Z';

/** A connection as lists show it, but without the field `created`. */
export const CONNECTION = {
  id: 42,
  connection_id: CONNECTION_ID,
  provider_config_key: INTEGRATION_KEY,
  provider: INTEGRATION_KEY,
  errors: [],
  end_user: null,
  metadata: { plan: 'team' },
  connection_config: {},
  tags: { end_user_id: 'user-123', organization_id: 'org-7' },
  created_at: FIRST,
  updated_at: LATER,
  last_fetched_at: LATER,
};

export const LISTED_CONNECTION = { ...CONNECTION, created: FIRST };

export const HEALTH = {
  state: 'needs_reauth',
  cause: 'refused',
  since: LATER,
  next_try: null,
  is_refreshing: false,
  failed_tries: 0,
  expires_at: LATER,
  last_refresh_at: LATER,
  call_status: 424,
  provider_account: null,
  log_id: LOG_ID,
};

export const OAUTH2_CREDENTIALS = {
  type: 'OAUTH2',
  access_token: 'example-access-token',
  expires_at: '2026-01-16T09:00:00.000Z',
  raw: { access_token: 'example-access-token', token_type: 'bearer', expires_in: 3600 },
};

export const INTEGRATION = {
  unique_key: INTEGRATION_KEY,
  display_name: 'GitHub',
  provider: INTEGRATION_KEY,
  created_at: FIRST,
  updated_at: LATER,
  logo: 'https://svc.example.com/logos/github.svg',
  forward_webhooks: true,
};

/** An integration's app, as shown to keys that may read its credentials. */
export const CLIENT = {
  type: 'OAUTH2',
  client_id: 'example-client-id',
  client_secret: 'example-client-secret',
  scopes: 'repo,read:user',
  webhook_secret: null,
};

export const CALLBACK_URL = 'https://svc.example.com/oauth/callback';
export const WEBHOOK_URL = 'https://svc.example.com/webhook/0d3c9e4e-5f0f-4a52-9d4e-64d0c4f0a7a1/github';

export const CONNECT_SESSION = {
  token: `svc_connect_session_${'0'.repeat(64)}`,
  connect_link: `https://svc.example.com/connect/l#svc_connect_session_${'0'.repeat(64)}`,
  expires_at: '2026-01-15T10:00:00.000Z',
};

export const PROVIDER = {
  name: INTEGRATION_KEY,
  display_name: 'GitHub',
  docs: 'https://docs.github.com/rest',
  auth_mode: 'OAUTH2',
  authorization_url: 'https://github.com/login/oauth/authorize',
  token_url: 'https://github.com/login/oauth/access_token',
  proxy: { base_url: 'https://api.github.com' },
  logo_url: 'https://svc.example.com/logos/github.svg',
  proof: { level: 1, at: '2026-01-15' },
};

export const LOG = {
  id: '019bc5d1-8000-7a0e-8f43-2f9e6a9b7a10',
  type: 'refresh',
  operation: 'refresh',
  status: 'failure',
  created_at: LATER,
  ended_at: '2026-01-16T08:00:01.250Z',
  duration_ms: 1250,
  connection_id: CONNECTION_ID,
  provider_config_key: INTEGRATION_KEY,
  summary: 'invalid_grant from provider',
  http_status: 400,
  error_code: 'invalid_grant',
  actor: { kind: 'api_key', id: '12', name: 'backend' },
  request_id: '019bc5d1-7f9c-7c31-9b1e-6a0f4d2c8e55',
  messages: [{ at: LATER, level: 'error', message: 'the provider refused the refresh token', facts: { error: 'invalid_grant' } }],
};

export const WEBHOOK_MESSAGE = {
  id: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
  type: 'auth',
  operation: 'creation',
  success: true,
  connection_id: CONNECTION_ID,
  provider_config_key: INTEGRATION_KEY,
  status: 'pending',
  created_at: LATER,
  next_attempt_at: '2026-01-16T08:00:05.000Z',
};

export const WEBHOOK_ATTEMPT = {
  at: LATER,
  url: 'https://app.example.com/webhooks',
  status: 503,
  duration_ms: 42,
  error: null,
  is_replay: false,
};

export const WEBHOOK_PAYLOAD = {
  from: 'svc',
  type: 'auth',
  operation: 'creation',
  success: true,
  connectionId: CONNECTION_ID,
  providerConfigKey: INTEGRATION_KEY,
  provider: INTEGRATION_KEY,
  authMode: 'OAUTH2',
  environment: 'prod',
  tags: { end_user_id: 'user-123', organization_id: 'org-7' },
};

export const ENVIRONMENT = {
  id: 2,
  uuid: '0d3c9e4e-5f0f-4a52-9d4e-64d0c4f0a7a1',
  name: 'prod',
  callback_url: 'https://app.example.com/oauth/callback',
};

export const API_KEY = {
  id: 8_113,
  display_name: 'backend',
  scopes: ['environment:connections:*', 'environment:proxy'],
  secret: 'example-api-key',
  created_at: FIRST,
  expires_at: '2027-01-15T09:30:00.000Z',
};

export const LISTED_API_KEY = {
  id: API_KEY.id,
  name: API_KEY.display_name,
  scopes: API_KEY.scopes,
  created_at: FIRST,
  last_used_at: LATER,
  expires_at: API_KEY.expires_at,
};

export const SCRIPT_EVENT = 'post-connection-creation';

/** The source of a script, in TypeScript. */
export const SCRIPT_SOURCE = `export default async function (svc: { updateMetadata(o: object): Promise<unknown> }) {
  await svc.updateMetadata({ welcomed: true });
}
`;

export const SCRIPT = { event: SCRIPT_EVENT, version: 2, enabled: true, created_at: LATER };

export const SCRIPT_RUN = {
  id: '5b0d5c0e-9a53-4f5e-8f6c-0f3a7d2e9b11',
  version: 2,
  connection_id: '1f9a2c9e-1d0b-4c0e-9a55-6a8a3d1b7c10',
  status: 'failed',
  started_at: '2026-01-15T09:30:00.000Z',
  duration_ms: 412,
  memory_mb: 3.5,
  cause: 'script_error',
  log: [{ at: 17, level: 'info', message: 'subscribing', facts: { trigger: 'BOOKING_CREATED' } }],
};
