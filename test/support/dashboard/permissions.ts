import { generateKeyPairSync } from 'node:crypto';
import { CONFIG } from '../integration-bodies.ts';
import { words } from '../words.ts';

/** The outcome of a request: the member may send it, lacks the necessary role, or must confirm the password first. */
export type Heard = 'in' | 'role' | 'password';

/** The outcomes in a development and in a production environment, each before and after the password is confirmed. */
type Row = readonly [dev: Heard, devConfirmed: Heard, production: Heard, productionConfirmed: Heard];

interface Kind {
  readonly viewer: Row;
  readonly developer: Row;
  readonly admin: Row;
}

const IN: Row = ['in', 'in', 'in', 'in'];
const NO: Row = ['role', 'role', 'role', 'role'];

/**
 * The expected outcomes for each kind of route, by role. They are written by hand, because a test that took them from the
 * declarations of the service could not find errors in these declarations.
 */
export const KINDS = {
  everybody: { viewer: IN, developer: IN, admin: IN },
  themselves: {
    viewer: ['password', 'in', 'password', 'in'],
    developer: ['password', 'in', 'password', 'in'],
    admin: ['password', 'in', 'password', 'in'],
  },
  developers: { viewer: NO, developer: IN, admin: IN },
  admins: { viewer: NO, developer: NO, admin: IN },
  confirmedAdmins: { viewer: NO, developer: NO, admin: ['password', 'in', 'password', 'in'] },
  addresses: { viewer: NO, developer: ['in', 'in', 'password', 'in'], admin: ['in', 'in', 'password', 'in'] },
  keys: { viewer: NO, developer: ['in', 'in', 'role', 'role'], admin: IN },
  detours: { viewer: NO, developer: ['in', 'in', 'role', 'role'], admin: ['in', 'in', 'password', 'in'] },
  secrets: { viewer: NO, developer: ['password', 'in', 'role', 'role'], admin: ['password', 'in', 'password', 'in'] },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;

const E = '/api/ui/e/:env';

/**
 * The kinds of those routes for signed-in members whose required permission does not depend on the body. They are tested with the
 * body's example.
 */
export const ROUTES: Readonly<Record<string, KindName>> = {
  'POST /api/ui/logout': 'everybody',
  'GET /api/ui/login/factor': 'everybody',
  'POST /api/ui/login/factor': 'everybody',
  'GET /api/ui/me': 'everybody',
  'GET /api/ui/me/factors': 'everybody',
  'POST /api/ui/me/factors/totp/confirm': 'everybody',
  'POST /api/ui/me/factors/passkeys/confirm': 'everybody',
  'POST /api/ui/me/passkey-challenge': 'everybody',
  'POST /api/ui/me/confirm': 'everybody',
  'PUT /api/ui/me/password': 'everybody',
  'GET /api/ui/me/sessions': 'everybody',
  'DELETE /api/ui/me/sessions/:id': 'everybody',

  'POST /api/ui/me/factors/totp': 'themselves',
  'POST /api/ui/me/factors/passkeys': 'themselves',
  'DELETE /api/ui/me/factors/:id': 'themselves',
  'POST /api/ui/me/recovery-codes': 'themselves',

  [`GET ${E}/activity`]: 'everybody',
  [`GET ${E}/log-counts`]: 'everybody',
  [`GET ${E}/search`]: 'everybody',
  [`GET ${E}/received-webhooks`]: 'everybody',
  [`GET ${E}/catalogue`]: 'everybody',
  [`GET ${E}/company-logo/:domain`]: 'everybody',
  [`GET ${E}/connect-ui`]: 'everybody',
  [`GET ${E}/connection-rows`]: 'everybody',
  [`GET ${E}/connections`]: 'everybody',
  [`GET ${E}/connections-count`]: 'everybody',
  [`GET ${E}/connections/:connection_id`]: 'everybody',
  [`GET ${E}/connections/:connection_id/health`]: 'everybody',
  [`GET ${E}/connections/:connection_id/status`]: 'everybody',
  [`GET ${E}/deliveries`]: 'everybody',
  [`GET ${E}/deliveries/:id`]: 'everybody',
  [`GET ${E}/integrations`]: 'everybody',
  [`GET ${E}/integrations-overview`]: 'everybody',
  [`GET ${E}/integrations/:uniqueKey`]: 'everybody',
  [`GET ${E}/integrations/:uniqueKey/received-webhooks`]: 'everybody',
  [`GET ${E}/integrations/:uniqueKey/scope-drift`]: 'everybody',
  [`GET ${E}/integrations/:uniqueKey/scripts`]: 'everybody',
  [`GET ${E}/integrations/:uniqueKey/scripts/:event/runs`]: 'everybody',
  [`GET ${E}/integrations/:uniqueKey/scripts/:event/versions`]: 'everybody',
  [`GET ${E}/integrations/:uniqueKey/status`]: 'everybody',
  [`GET ${E}/keys`]: 'everybody',
  [`GET ${E}/logs`]: 'everybody',
  [`GET ${E}/logs/:id`]: 'everybody',
  [`GET ${E}/logs/stream`]: 'everybody',
  [`GET ${E}/onboarding`]: 'everybody',
  [`GET ${E}/providers`]: 'everybody',
  [`GET ${E}/providers/:slug`]: 'everybody',
  [`GET ${E}/providers/:slug/setup`]: 'everybody',
  [`GET ${E}/scripts`]: 'everybody',
  [`GET ${E}/settings`]: 'everybody',
  [`GET ${E}/variables`]: 'everybody',
  [`GET ${E}/webhook-inbox`]: 'everybody',
  [`GET ${E}/webhook-messages`]: 'everybody',
  [`GET ${E}/webhook-messages/:id`]: 'everybody',
  [`GET ${E}/webhook-targets/failing`]: 'everybody',

  [`GET ${E}/integrations/:uniqueKey/scripts/:event/versions/:version`]: 'developers',
  [`POST ${E}/callback-url/check`]: 'developers',
  [`DELETE ${E}/connect-ui/logo`]: 'developers',
  [`PUT ${E}/connect-ui/logo`]: 'developers',
  [`DELETE ${E}/connections/:connection_id`]: 'developers',
  [`POST ${E}/connections/:connection_id/refresh`]: 'developers',
  [`PATCH ${E}/connections/metadata`]: 'developers',
  [`POST ${E}/connections/metadata`]: 'developers',
  [`DELETE ${E}/integrations/:uniqueKey`]: 'developers',
  [`PUT ${E}/integrations/:uniqueKey/connect-screen`]: 'developers',
  [`DELETE ${E}/keys/:id`]: 'developers',
  [`DELETE ${E}/webhook-inbox`]: 'developers',
  [`POST ${E}/webhook-messages/:id/replay`]: 'developers',
  [`POST ${E}/webhook-messages/replay`]: 'developers',
  [`POST ${E}/webhook-messages/test`]: 'developers',

  // The scopes of the key may require more, but the request names a key that does not exist.
  [`POST ${E}/keys/:id/roll`]: 'keys',

  [`DELETE ${E}/variables/:name`]: 'addresses',
  [`PUT ${E}/variables/:name`]: 'addresses',

  [`POST ${E}/integrations/:uniqueKey/scripts/:event/test`]: 'detours',
  [`DELETE ${E}/integrations/:uniqueKey/scripts/:event`]: 'detours',
  [`PATCH ${E}/integrations/:uniqueKey/scripts/:event`]: 'detours',
  [`PUT ${E}/integrations/:uniqueKey/scripts/:event`]: 'detours',
  [`POST ${E}/proxy-try`]: 'detours',

  [`POST ${E}/connections/:connection_id/reveal`]: 'secrets',
  [`POST ${E}/webhooks/signing-key/reveal`]: 'secrets',
  [`POST ${E}/webhooks/signing-key/rotate`]: 'secrets',

  'GET /api/ui/account/audit': 'admins',
  'POST /api/ui/account/audit/exports': 'admins',
  'GET /api/ui/account/instance': 'admins',
  'GET /api/ui/account/keys': 'admins',
  'DELETE /api/ui/account/keys/:id': 'admins',
  'GET /api/ui/account/members': 'admins',
  'DELETE /api/ui/account/members/:id': 'admins',
  'DELETE /api/ui/account/invitations/:email': 'admins',
  'DELETE /api/ui/environments/:name': 'admins',

  'POST /api/ui/account/keys': 'confirmedAdmins',
  'POST /api/ui/account/keys/:id/roll': 'confirmedAdmins',
  'POST /api/ui/account/members/:id/password-link': 'confirmedAdmins',
  'POST /api/ui/environments': 'confirmedAdmins',
};

/** A test of one field of a body. The rest of the body refers to things that do not exist. */
interface Field {
  readonly kind: KindName;
  /** Returns the body; default: only the field, which is `true` in the environment `dev` and `false` in `live`. */
  readonly body?: (unique: string) => Readonly<Record<string, unknown>>;
}

const integration = (unique: string, more: object = {}) => ({ unique_key: unique, provider: 'generic-oauth', ...more });
const PRIVATE_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const URL = 'https://app.acme.example/webhooks';
const LOOK = {
  ...{ brand_name: null, brand_color: null, brand_radius: null, brand_theme: 'system', brand_language: null },
  ...{ allowed_origins: [], return_urls: [] },
};
const CREDENTIALS = { type: 'OAUTH2', access_token: 'none' };
const connection = { connection_id: 'none', provider_config_key: 'none' };
const NEW_INTEGRATION: Readonly<Record<string, Field>> = {
  unique_key: { kind: 'detours', body: () => ({ unique_key: 'used', provider: 'github' }) },
  provider: { kind: 'developers', body: (unique) => ({ unique_key: unique, provider: 'github' }) },
  display_name: { kind: 'developers', body: (unique) => ({ unique_key: unique, provider: 'github', display_name: 'Ours' }) },
  forward_webhooks: {
    kind: 'developers',
    body: (unique) => ({ unique_key: unique, provider: 'github', forward_webhooks: false }),
  },
};

/**
 * The fields of those routes whose body determines the required permission, by their names in the body. The fields of
 * `credentials` are listed separately. A `unique_key` matters only if an earlier integration had it; in every environment, one
 * had `used`.
 */
export const FIELDS: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  [`POST ${E}/integrations`]: {
    ...NEW_INTEGRATION,
    integration_config: { kind: 'detours', body: (unique) => integration(unique, { integration_config: CONFIG }) },
    ...appFields((credentials, unique) => ({ unique_key: unique, provider: 'github-app', credentials })),
  },
  [`POST ${E}/integrations/quickstart`]: NEW_INTEGRATION,
  [`PATCH ${E}/integrations/:uniqueKey`]: {
    unique_key: { kind: 'detours', body: () => ({ unique_key: 'used' }) },
    display_name: { kind: 'developers', body: () => ({ display_name: 'Ours' }) },
    forward_webhooks: { kind: 'developers', body: () => ({ forward_webhooks: false }) },
    integration_config: { kind: 'detours', body: (unique) => ({ integration_config: { allowed_hosts: `${unique}.example` } }) },
    ...appFields((credentials) => ({ credentials })),
  },
  [`PATCH ${E}/settings`]: {
    callback_url: { kind: 'detours', body: () => ({ callback_url: 'https://app.acme.example/callback' }) },
    webhook_url: { kind: 'addresses', body: () => ({ webhook_url: URL }) },
    webhook_url_secondary: { kind: 'addresses', body: () => ({ webhook_url_secondary: URL }) },
    ...Object.fromEntries(
      words`on_new_connection on_refresh on_deletion`.map((name) => [
        name,
        { kind: 'developers', body: () => ({ [name]: true }) } as const,
      ]),
    ),
  },
  [`PATCH ${E}/connect-ui`]: {
    brand_name: { kind: 'developers', body: () => ({ ...LOOK, brand_name: 'Acme' }) },
    brand_color: { kind: 'developers', body: () => ({ ...LOOK, brand_color: '#0a7d4f' }) },
    brand_radius: { kind: 'developers', body: () => ({ ...LOOK, brand_radius: 4 }) },
    brand_theme: { kind: 'developers', body: () => ({ ...LOOK, brand_theme: 'dark' }) },
    brand_language: { kind: 'developers', body: () => ({ ...LOOK, brand_language: 'de' }) },
    allowed_origins: { kind: 'addresses', body: () => ({ ...LOOK, allowed_origins: ['https://app.acme.example'] }) },
    return_urls: { kind: 'addresses', body: () => ({ ...LOOK, return_urls: ['https://app.acme.example/back'] }) },
  },
  [`PATCH ${E}/connections/:connection_id`]: {
    tags: { kind: 'developers', body: () => ({ tags: {} }) },
    end_user: { kind: 'developers', body: () => ({ end_user: { id: 'u' } }) },
    webhook_url_override: { kind: 'addresses', body: () => ({ webhook_url_override: URL }) },
  },
  [`POST ${E}/connections/import`]: {
    ...Object.fromEntries(
      words`connection_id provider_config_key credentials metadata connection_config tags end_user`.map((name) => [
        name,
        { kind: 'developers', body: () => ({ ...connection, credentials: CREDENTIALS }) } as const,
      ]),
    ),
    webhook_url_override: {
      kind: 'addresses',
      body: () => ({ ...connection, credentials: CREDENTIALS, webhook_url_override: URL }),
    },
    'connection_config with a host': {
      kind: 'detours',
      body: () => ({
        ...{ connection_id: 'none', provider_config_key: 'okta', credentials: CREDENTIALS },
        connection_config: { domain: 'evil.example' },
      }),
    },
  },
  [`POST ${E}/connect/sessions`]: sessionFields({ tags: { a: 'b' } }, ['allowed_integrations']),
  [`POST ${E}/connect/sessions/reconnect`]: sessionFields({ connection_id: 'none', integration_id: 'none' }, [
    ...words`connection_id integration_id allow_account_change`,
  ]),
  [`POST ${E}/keys`]: {
    name: { kind: 'keys', body: (name) => ({ name, scopes: ['environment:logs:read'] }) },
    expires_at: { kind: 'keys', body: (name) => ({ name, scopes: ['environment:logs:read'], expires_at: null }) },
    scopes: { kind: 'secrets', body: (name) => ({ name, scopes: ['environment:connections:read_credentials'] }) },
  },
  'POST /api/ui/account/invitations': {
    email: { kind: 'admins', body: (name) => ({ email: `${name}@acme.example`, role: 'developer' }) },
    role: { kind: 'confirmedAdmins', body: (name) => ({ email: `${name}@acme.example`, role: 'admin' }) },
  },
  'PATCH /api/ui/account/members/:id': { role: { kind: 'confirmedAdmins', body: () => ({ role: 'admin' }) } },
  'PATCH /api/ui/environments/:name': {
    name: { kind: 'admins', body: () => ({}) },
    is_production: { kind: 'confirmedAdmins' },
  },
};

/** Returns the fields of every connect session and those named in `own`. The rest of each body is `base`. */
function sessionFields(base: object, own: readonly string[]): Readonly<Record<string, Field>> {
  const app = { oauth_client_id_override: 'mine', oauth_client_secret_override: 'mine' };
  const line = (kind: KindName, more: object = {}): Field => ({ kind, body: () => ({ ...base, ...more }) });
  const names = [...words`tags end_user organization choices overrides return_url`, ...own];
  return {
    ...Object.fromEntries(names.map((name) => [name, line('developers')])),
    integrations_config_defaults: line('addresses', { integrations_config_defaults: { own: { connection_config: app } } }),
    'integrations_config_defaults with a host': line('detours', {
      integrations_config_defaults: { okta: { connection_config: { domain: 'evil.example' } } },
    }),
    webhook_url_override: line('addresses', { webhook_url_override: URL }),
  };
}

/** Returns the fields of `credentials` for an integration of an installable app, because only such apps have all of them. */
function appFields(
  bodyWith: (credentials: Readonly<Record<string, string>>, unique: string) => Readonly<Record<string, unknown>>,
) {
  const line = (kind: KindName, credentials: Readonly<Record<string, string>>): Field => ({
    kind,
    body: (unique) => bodyWith(credentials, unique),
  });
  return {
    'credentials.app_id': line('addresses', { app_id: '1' }),
    'credentials.app_link': line('addresses', { app_link: 'https://evil.example/app' }),
    'credentials.private_key': line('addresses', { private_key: PRIVATE_KEY }),
    'credentials.client_id': line('addresses', { client_id: 'mine' }),
    'credentials.client_secret': line('addresses', { client_secret: 'mine' }),
    'credentials.scopes': line('developers', { scopes: 'repo' }),
    'credentials.webhook_secret': line('developers', { webhook_secret: 'mine' }),
    'credentials.type': line('developers', { type: 'APP' }),
  };
}
