import type { JsonObject } from '#contract';
import type { StoredCredentials } from '../../../core/auth-modes/building-blocks/stored-credentials.ts';

export const RECEIVED_AT = '2026-01-02T03:04:05.000Z';
export const EXPIRES_AT = '2026-01-02T04:04:05.000Z';
const at = { receivedAt: RECEIVED_AT };
const until = { ...at, expiresAt: EXPIRES_AT };

/** A provider's response with refresh tokens in every place where providers put them. */
export const RESPONSE: JsonObject = {
  scope: 'read',
  refresh_token: 'raw-refresh',
  nested: { refreshToken: 'nested-refresh', list: [{ Refresh_Token: 'listed-refresh', kept: 1 }] },
};
export const SCRUBBED: JsonObject = { scope: 'read', nested: { list: [{ kept: 1 }] } };

/** Stored credentials of every mode, with all fields. */
export const STORED = {
  OAUTH1: { type: 'OAUTH1', oauthToken: 'token-1', oauthTokenSecret: 'token-secret', raw: RESPONSE, ...at },
  OAUTH2: {
    type: 'OAUTH2',
    accessToken: 'access-1',
    refreshToken: 'refresh-1',
    configOverride: { clientId: 'own-id', clientSecret: 'own-secret' },
    raw: RESPONSE,
    ...until,
  },
  OAUTH2_CC: { type: 'OAUTH2_CC', clientId: 'id', clientSecret: 'secret', token: 'access-2', raw: RESPONSE, ...until },
  BASIC: { type: 'BASIC', username: 'ada', password: 'pass:word', ...at },
  API_KEY: { type: 'API_KEY', apiKey: 'key-1', ...at },
  NONE: { type: 'NONE', ...at },
  TBA: {
    type: 'TBA',
    tokenId: 'token-id',
    tokenSecret: 'token-secret',
    configOverride: { clientId: 'own-id', clientSecret: 'own-secret' },
    ...at,
  },
  APP: { type: 'APP', appId: '1', installationId: '2', accessToken: 'access-3', raw: RESPONSE, ...until },
  APP_STORE: { type: 'APP_STORE', accessToken: 'access-4', privateKey: 'pem', raw: RESPONSE, ...until },
  JWT: {
    type: 'JWT',
    privateKey: { id: 'key-id', secret: 'key-secret' },
    privateKeyId: 'private-key-id',
    issuerId: 'issuer',
    token: 'token-2',
    ...until,
  },
  CUSTOM: { type: 'CUSTOM', raw: RESPONSE, ...at },
  BILL: {
    type: 'BILL',
    username: 'ada',
    password: 'password',
    organizationId: 'org',
    devKey: 'dev-key',
    sessionId: 'session',
    userId: 'user',
    raw: RESPONSE,
    ...until,
  },
  TWO_STEP: {
    type: 'TWO_STEP',
    credentials: { username: 'ada', password: 'password' },
    token: 'token-3',
    refreshToken: 'refresh-3',
    raw: RESPONSE,
    ...until,
  },
  SIGNATURE: { type: 'SIGNATURE', username: 'ada', password: 'password', token: 'token-4', ...until },
  AWS_SIGV4: {
    type: 'AWS_SIGV4',
    roleArn: 'arn:aws:iam::123456789012:role/example',
    accessKeyId: 'key-2',
    secretAccessKey: 'secret-key',
    sessionToken: 'session-token',
    ...until,
  },
  MCP_OAUTH2: {
    type: 'MCP_OAUTH2',
    accessToken: 'access-5',
    refreshToken: 'refresh-5',
    issuer: 'https://auth.example.com',
    resource: 'https://mcp.example.com/mcp',
    client: { from: 'registration', clientId: 'client', clientSecret: 'client-secret', secretIn: 'basic' },
    raw: RESPONSE,
    ...until,
  },
} as const satisfies Readonly<Record<string, StoredCredentials & Readonly<Record<string, unknown>>>>;

export type ModeName = keyof typeof STORED;
