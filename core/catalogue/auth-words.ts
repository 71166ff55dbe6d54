/**
 * The names of auth modes as developers write them and search for them. A mode that is not in this list is shown by the name in
 * `auth_mode`.
 */
export const AUTH_WORDS: Readonly<Record<string, string>> = {
  OAUTH1: 'OAuth 1.0a',
  OAUTH2: 'OAuth 2.0',
  OAUTH2_CC: 'Client credentials',
  API_KEY: 'API key',
  BASIC: 'Basic',
  NONE: 'None',
  TBA: 'Token-based',
  APP: 'App installation',
  APP_STORE: 'App Store key',
  CUSTOM: 'App and user',
  JWT: 'JWT',
  TWO_STEP: 'Token exchange',
  SIGNATURE: 'Signature',
  AWS_SIGV4: 'AWS Signature',
  BILL: 'Bill session',
  MCP_OAUTH2: 'MCP (OAuth 2.1)',
};
