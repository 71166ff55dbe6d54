import { generateKeyPairSync } from 'node:crypto';
import type { JsonObject } from '#contract';
import type { StoredCredentials } from '../../../core/auth-modes/auth-mode.ts';
import { canary, rememberSecret } from '../canaries.ts';

/** An authentication mode whose credentials `RenewalServer` refreshes without the end user. */
export interface RenewingMode {
  /**
   * The fields that the mode needs in its provider definition. There, `${integrationConfig.server}` is the address of the
   * `RenewalServer`.
   */
  readonly definition: object;
  /** The app credentials of the integration, if the mode needs any. */
  readonly app?: object;
  readonly connectionConfig?: JsonObject;
  /** The number of token requests that the service sends for one refresh; 0 if it creates the token itself. */
  readonly requests: 0 | 1 | 2;
  /**
   * Returns the credentials of a connection as they are stored, but without their type and times.
   *
   * @param server the address of the `RenewalServer`
   */
  stored(server: string): Readonly<Record<string, unknown>>;
}

const pemOf = (key: ReturnType<typeof generateKeyPairSync>['privateKey']) =>
  rememberSecret('key of a renewing mode', String(key.export({ type: 'pkcs8', format: 'pem' })));
const RSA = pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
const EC = pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);

const at = (mode: string) => `\${integrationConfig.server}/renew/${mode}`;
const token = () => canary('renewing modes: stored token');
const client = () => ({ client_id: 'client', client_secret: canary('renewing modes: client secret') });
const installedApp = () => ({ ...client(), app_id: '4711', private_key: RSA });
const login = () => ({ username: 'ada', password: canary('renewing modes: password') });
const LIFETIME = { token_lifetime: 3600 };
const SIGNED = {
  signing_key: '${credentials.privateKey}',
  expires_in_ms: 3_600_000,
  payload: { iss: '${credentials.issuerId}' },
};

const KEY_FIELDS = {
  credentials: {
    issuerId: { type: 'string', title: 'Issuer' },
    privateKeyId: { type: 'string', title: 'Key ID', optional: true },
    privateKey: { type: 'string', title: 'Key', secret: true },
  },
};

/**
 * The modes whose credentials are refreshed, by name. `test/core/auth-modes/renewing-modes.test.ts` compares them with the
 * service's table of modes.
 */
export const RENEWING: Readonly<Record<string, RenewingMode>> = {
  OAUTH2: {
    definition: { authorization_url: 'https://auth.example/authorize', token_url: at('OAUTH2') },
    app: client(),
    requests: 1,
    stored: () => ({ accessToken: token(), refreshToken: token(), raw: {} }),
  },
  MCP_OAUTH2: {
    definition: { mcp_server_url: '${integrationConfig.server}/api' },
    app: client(),
    requests: 1,
    stored: (server) => {
      const grant = { issuer: `${server}/issuer`, resource: `${server}/api`, client: { from: 'integration' } };
      return { accessToken: token(), refreshToken: token(), raw: {}, ...grant };
    },
  },
  OAUTH2_CC: {
    definition: { token_url: at('OAUTH2_CC'), introspection_url: '${integrationConfig.server}/introspect' },
    requests: 1,
    stored: () => ({ clientId: 'client', clientSecret: token(), token: token(), raw: {} }),
  },
  APP: {
    definition: { token_url: at('APP') },
    app: installedApp(),
    requests: 1,
    stored: () => ({ appId: '4711', installationId: '1001', accessToken: token(), raw: {} }),
  },
  CUSTOM: {
    definition: {
      authorization_url: 'https://auth.example/install',
      token_url: at('CUSTOM'),
      installation: {
        user_token_url: at('CUSTOM/user'),
        user_installations: { url: at('CUSTOM/list'), list: 'installations', id: 'id' },
      },
    },
    app: installedApp(),
    requests: 2,
    stored: () => {
      const app = { type: 'APP', appId: '4711', installationId: '1001', accessToken: token(), raw: {} };
      return { raw: {}, installed: { app, user: { accessToken: token(), refreshToken: token(), raw: {} } } };
    },
  },
  JWT: {
    definition: { ...KEY_FIELDS, token_url: at('JWT'), assertion: { ...SIGNED, header: { alg: 'RS256' } } },
    requests: 1,
    stored: () => ({ privateKey: RSA, issuerId: 'issuer', token: token() }),
  },
  APP_STORE: {
    definition: { ...KEY_FIELDS, token: { ...SIGNED, header: { alg: 'ES256' } } },
    requests: 0,
    stored: () => ({ accessToken: token(), privateKey: EC, issuerId: 'issuer', privateKeyId: 'key', raw: {} }),
  },
  BILL: {
    definition: { token_url: at('BILL'), token_response: { token: 'token' }, ...LIFETIME },
    requests: 1,
    stored: () => ({ ...login(), organizationId: 'organization', devKey: token(), sessionId: token(), raw: {} }),
  },
  TWO_STEP: {
    definition: {
      token_url: at('TWO_STEP'),
      token_params: { password: '${credentials.password}' },
      token_response: { token: 'token' },
      credentials: { password: { type: 'string', title: 'Password', secret: true } },
      ...LIFETIME,
    },
    requests: 1,
    stored: () => ({ credentials: login(), token: token(), raw: {} }),
  },
  SIGNATURE: {
    definition: { signature: { protocol: 'WSSE' }, ...LIFETIME },
    requests: 0,
    stored: () => ({ ...login(), token: token() }),
  },
  AWS_SIGV4: {
    definition: { token_url: at('AWS_SIGV4'), aws_sigv4: { service: 'sqs', region: 'eu-central-1' } },
    app: client(),
    connectionConfig: { external_id: 'external-id' },
    requests: 1,
    stored: () => ({
      roleArn: 'arn:aws:iam::123456789012:role/ours',
      accessKeyId: 'ASIAEXAMPLE',
      secretAccessKey: token(),
      sessionToken: token(),
    }),
  },
};

export const RENEWING_NAMES = Object.keys(RENEWING);
/** The modes whose tokens are requested from a provider instead of being created by the service. */
export const ASKING_NAMES = RENEWING_NAMES.filter((name) => RENEWING[name]?.requests !== 0);

export function renewingMode(name: string): RenewingMode {
  const mode = RENEWING[name];
  if (mode === undefined) throw new Error(`there is no renewing mode ${name}`);
  return mode;
}

/** Returns stored credentials of a mode that were received just now and expire in an hour. */
export function storedCredentials(name: string, server: string): StoredCredentials {
  const now = new Date();
  const times = { receivedAt: now.toISOString(), expiresAt: new Date(now.getTime() + 3_600_000).toISOString() };
  return { type: name, ...renewingMode(name).stored(server), ...times } as StoredCredentials;
}
