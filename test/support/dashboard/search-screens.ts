import type { Page } from 'playwright-core';
import type { Reply } from '../../../ui/dashboard/app/replies.ts';
import { entry } from './log-screens.ts';
import type { DashboardScreen } from './screen.ts';
import { Refusal, type StubbedApi } from './stub-api.ts';

type Found = Reply<'search'>['data'];
type Connection = Found['connections'][number];

const AT = '2026-11-20T10:42:07.113Z';
const LONG = 'Geschäftsführung-der-Großhandelsgesellschaft-für-mittelständische-Unternehmen-in-München';
const LOGO = 'logos/linear.svg';

function connection(index: number, part: Partial<Connection>): Connection {
  return {
    connection_id: `0b9f6f0e-6f0e-4c2b-9a51-${String(index).padStart(12, '0')}`,
    provider_config_key: 'acme-desk',
    integration_name: 'Acme Desk',
    provider: 'acme-desk',
    logo: LOGO,
    display_name: 'Marie Hoffmann',
    email: 'marie@hellweg-logistik.example',
    end_user_id: null,
    organization: null,
    provider_account: null,
    state: 'healthy',
    created_at: AT,
    last_fetched_at: AT,
    tags: {},
    ...part,
  };
}

const FOUND: Found = {
  connections: [
    connection(0, { state: 'needs_reauth' }),
    connection(1, { display_name: 'Jonas Krämer', email: null, tags: { organization_id: 'hellweg' } }),
    connection(2, { display_name: 'كيلفن', email: null, provider_account: { id: '1', name: 'dispo@hellweg.example' } }),
    connection(3, { display_name: `${LONG} Hellweg`, email: `einkauf@${LONG.toLowerCase()}.example`, state: 'degraded' }),
    connection(4, { display_name: '<img src=x onerror=alert(1)> hellweg', email: null, state: 'pending' }),
  ],
  has_more_connections: true,
  integrations: [{ unique_key: 'dispo', display_name: 'Hellweg Dispo', provider: 'generic-api-key', logo: LOGO }],
  operations: [
    {
      ...entry(0, { summary: 'GET /repos/hellweg/dispo/issues → 503', status: 'failure' }),
      connection_name: 'Tomás Ortega',
      integration: { unique_key: 'acme-desk', display_name: 'Acme Desk', logo: LOGO },
    },
    { ...entry(1, { type: 'webhook', summary: 'forwarded to app.hellweg.example' }), connection_name: null, integration: null },
  ],
  webhook: null,
};
const NOTHING: Found = { connections: [], has_more_connections: false, integrations: [], operations: [], webhook: null };

const asked = (text: string) => async (page: Page) => {
  await page.getByRole('button', { name: 'Search everything' }).click();
  await page.getByRole('combobox', { name: 'Search everything' }).fill(text);
};
const search = (found: object): StubbedApi => ({ 'e/dev/search': found, 'e/dev/logs': { data: [], next_cursor: null } });
const PATH = 'e/dev/logs';

export const SEARCH_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  'search-empty': { path: PATH, api: search({ data: NOTHING }), act: asked(''), shows: 'Settings: API keys' },
  'search-found': { path: PATH, api: search({ data: FOUND }), act: asked('hellweg'), shows: 'Hellweg Dispo' },
  'search-nothing': { path: PATH, api: search({ data: NOTHING }), act: asked('nobody'), shows: 'Nothing is found' },
  'search-broken': {
    path: PATH,
    api: search(new Refusal(503, 'storage_unavailable')),
    act: asked('hellweg'),
    shows: 'stubbed: storage_unavailable',
  },
};
