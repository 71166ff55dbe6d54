import type { Reply } from '../../../ui/dashboard/app/replies.ts';
import type { StubbedApi } from './stub-api.ts';

type Row = Reply<'getIntegrationsOverview'>['data'][number];

const AT = '2026-11-20T10:42:07.113Z';
const LONG = 'Aufgabenverwaltungszentrale für mittelständische Unternehmen';
const COUNTS = { healthy: 804, degraded: 3, needs_reauth: 12, pending: 0 };
export const NONE = { healthy: 0, degraded: 0, needs_reauth: 0, pending: 0 };
const LOGO = 'logos/linear.svg';

function row(unique_key: string, display_name: string, part: Partial<Row> = {}): Row {
  const shared = {
    provider: unique_key,
    auth_mode: 'OAUTH2',
    logo: LOGO,
    forward_webhooks: true,
    has_webhook_secret: true,
    updated_at: AT,
  };
  return { ...shared, unique_key, display_name, connections: { ...NONE, healthy: 41 }, failures: 0, ...part };
}

export const ROWS: readonly Row[] = [
  row('acme-desk', 'Acme Desk', { connections: COUNTS, failures: 312 }),
  row('aufgabenverwaltungszentrale-fuer-mittelstaendische-unternehmen', LONG, {
    auth_mode: 'BASIC',
    forward_webhooks: false,
    has_webhook_secret: false,
  }),
  row('github', 'GitHub', { connections: { ...NONE, healthy: 1 } }),
  row('jira', 'Jira', { connections: NONE }),
  row('notion', 'Notion', { auth_mode: null }),
  row('salesforce', 'منصة المبيعات'),
  row('sandbox', 'Sandbox', { auth_mode: 'API_KEY', connections: NONE }),
];

const PROVIDER = {
  name: 'acme-desk',
  display_name: 'Acme Desk',
  auth_mode: 'OAUTH2',
  logo_url: LOGO,
  categories: ['ticketing'],
  docs: 'https://docs.acme.example/api',
  setup_guide_url: 'https://console.acme.example/apps',
  default_scopes: ['tickets:read'],
  available_scopes: [
    { name: 'tickets:read', description: 'Read tickets and their comments' },
    { name: 'tickets:write', description: 'Create and change tickets' },
    { name: 'admin:users', description: 'Manage the users of an account', sensitive: true },
    'offline_access',
  ],
  integration_config: {
    region: { type: 'string', title: 'Region', enum: ['eu', 'us'], default_value: 'eu' },
    domain: {
      type: 'string',
      title: 'Domain',
      format: 'hostname',
      prefix: 'https://',
      example: 'acme.example.com',
      optional: true,
    },
    signing_key: {
      type: 'string',
      title: 'Signing key',
      secret: true,
      optional: true,
      description: 'On the second page of the app’s settings.',
    },
  },
  proof: { level: 3, at: '2026-11-19' },
};

export const SETUP = {
  callback_url: 'https://svc.northwind.example/oauth/callback',
  unique_key: 'acme-desk-2',
  app: ['client_id', 'client_secret', 'scopes'],
  shared_app: null,
  webhook_matching: [
    'body.team.id is team_id of the connection configuration',
    `body.repository.id is in ${'repository-ids-'.repeat(8)} of the metadata`,
  ],
  app_need: 'required',
  has_secret_overlap: true,
  scopes_apply: 'next_sign_in',
  way: 'sign_in',
  asked: [{ title: 'Workspace', description: 'The first part of the address of your desk.' }],
  webhook_keys: ['webhook_secret'],
  integrations: 2,
  connections: COUNTS,
};

export const SHARED = { ...SETUP, shared_app: { scopes: ['tickets:read'], callback_url: SETUP.callback_url } };

export const CATALOGUE = {
  auth_modes: [
    { name: 'OAUTH2', count: 502, integrations: 5 },
    { name: 'API_KEY', count: 211, integrations: 0 },
  ],
  own: ['provider-3'],
  set_up: [
    { name: 'provider-0', integrations: 1, unique_key: 'acme-desk' },
    { name: 'provider-4', integrations: 12, unique_key: 'books' },
  ],
};

const NAMES = ['Acme Desk', 'Amber CRM', 'Birch Mail', 'Cobalt', 'Delta Books', 'Ember', LONG, 'Fjord', 'Granite', 'Harbour HR'];
const LEVELS = [3, 2, 1, 0] as const;
const listed = (name: string, display_name: string, part: object) => ({
  name,
  display_name,
  auth_mode: 'OAUTH2',
  logo_url: LOGO,
  proof: { level: 1, at: null },
  ...part,
});

export const LISTED = [
  ...NAMES.map((display_name, index) =>
    listed(`provider-${index}`, display_name, {
      auth_mode: index % 3 === 0 ? 'API_KEY' : 'OAUTH2',
      categories: index % 2 === 0 ? ['ticketing', 'productivity'] : ['accounting'],
      proof: { level: LEVELS[index % 4], at: '2026-11-19' },
    }),
  ),
  ...['Iris', 'Juno', 'Kelp', 'Loom', 'Moss', 'Nori'].map((name) =>
    listed(name.toLowerCase(), name, { categories: ['ticketing'] }),
  ),
  listed('oak', 'Oak Identity', { categories: ['identity'] }),
  listed('pine', 'Pine Mail', { categories: ['email'] }),
  listed('any-key', 'Any API with a key', { auth_mode: 'API_KEY', categories: ['other'] }),
  listed('any-oauth', 'Any API with OAuth 2.0', { categories: ['other'] }),
  listed('playground', 'Playground', { categories: ['sandbox'], sandbox: true }),
];

export const STATUS = {
  connections: COUNTS,
  connect_screen: { guide_url: 'https://help.northwind.example/acme-desk', position: 1 },
  provider_fault: null,
  is_shared_app: false,
  client: {
    client_id: 'northwind-acme-desk',
    scopes: 'tickets:read,tickets:write',
    has_client_secret: true,
    has_private_key: false,
    has_webhook_secret: true,
    secrets_set_at: { client_secret: AT, webhook_secret: AT },
  },
  webhook_address: { checked_at: AT, verified_at: AT },
  former_clients: [{ client_id: 'northwind-acme-desk-old', replaced_at: AT, connections: 318 }],
  on_current_client: 501,
};
export const NO_CLIENT = { has_client_secret: false, secrets_set_at: {} };

const SHOWN = {
  unique_key: 'acme-desk',
  display_name: 'Acme Desk',
  provider: 'acme-desk',
  created_at: AT,
  updated_at: AT,
  logo: LOGO,
  forward_webhooks: true,
  webhook_url: 'https://svc.northwind.example/webhook/3f0c1d2e-6f0e-4c2b-9a51-21c97f3a51aa/acme-desk',
  callback_url: SETUP.callback_url,
  integration_config: { region: 'eu', signing_key: '***' },
};

const WEBHOOK = {
  log_id: '0198c3a1-7f5e-7a41-9d55-2c8f30e1b7a9',
  at: AT,
  events: 'ticket.created',
  is_verified: true,
  is_forwarded: true,
  connections: 1,
  provider_config_key: 'acme-desk',
  connection_id: 'kelvin',
  connection_name: 'Kelvin',
  integration: { unique_key: 'acme-desk', display_name: 'Acme Desk', logo: LOGO },
  refusal: null,
};
const REFUSAL = { code: 'webhook_invalid_signature', reason: 'the signature of the delivery is not valid' };
const LONG_EVENT = 'a-name-without-any-space-'.repeat(8);
const RECEIVED: readonly Reply<'listReceivedWebhooks'>['data'][number][] = [
  WEBHOOK,
  { ...WEBHOOK, log_id: '1', connections: 3, connection_id: null, is_forwarded: false },
  { ...WEBHOOK, log_id: '2', connections: 0, connection_id: null, is_verified: false, events: LONG_EVENT },
  { ...WEBHOOK, log_id: '3', connections: 0, connection_id: null, events: 'delivery', refusal: REFUSAL },
];

const DRIFT = {
  data: [
    { connection_id: 'kelvin', connection_name: 'Kelvin', missing: ['tickets:write'] },
    {
      connection_id: LONG_EVENT,
      connection_name: null,
      missing: Array.from({ length: 12 }, (_, index) => `admin:users:${index}`),
    },
  ],
  compared: 500,
  unknown: 41,
  next_cursor: 'NDI',
};

export const DETAIL: StubbedApi = {
  'e/dev/integrations/acme-desk/scope-drift': DRIFT,
  'e/dev/integrations/acme-desk/received-webhooks': { data: RECEIVED },
  'e/dev/providers/acme-desk': { data: PROVIDER },
  'e/dev/providers/acme-desk/setup': { data: SETUP },
  'e/dev/integrations/acme-desk': { data: SHOWN },
  'e/dev/integrations/acme-desk/status': { data: STATUS },
  'e/dev/integrations/acme-desk/scripts': {
    data: [{ event: 'post-connection-creation', version: 4, enabled: true, created_at: AT }],
  },
};
