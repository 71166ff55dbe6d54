import type { Reply } from '../../../ui/dashboard/wire.ts';
import type { DashboardScreen } from './screen.ts';
import { Refusal, type StubbedApi } from './stub-api.ts';

type Row = Reply<'listConnectionRows'>['data'][number];

const FIRST = Date.parse('2026-11-23T10:42:07.113Z');
const LONG = 'Geschäftsführung-der-Großhandelsgesellschaft-für-mittelständische-Unternehmen-in-München';

function row(index: number, part: Partial<Row>): Row {
  const at = new Date(FIRST - index * 11_873_000).toISOString();
  return {
    connection_id: `0b9f6f0e-6f0e-4c2b-9a51-${String(index).padStart(12, '0')}`,
    provider_config_key: 'acme-desk',
    integration_name: 'Acme Desk',
    provider: 'acme-desk',
    logo: 'logos/linear.svg',
    display_name: 'Ada Lovelace',
    email: 'ada@northwind.example',
    provider_account: null,
    state: 'healthy',
    created_at: at,
    last_fetched_at: at,
    ...part,
  };
}

const ROWS: readonly Row[] = [
  row(0, {}),
  row(1, { display_name: 'Margaret Hamilton', email: 'mh@apollo.example', state: 'needs_reauth' }),
  row(2, { display_name: LONG, email: `einkauf@${LONG.toLowerCase()}.example`, integration_name: LONG, state: 'degraded' }),
  row(3, { display_name: '<script>alert(1)</script>', email: null, connection_id: LONG.repeat(2) }),
  row(4, { display_name: null, email: null, state: 'pending' }),
  row(5, { display_name: null, email: null, provider_account: { id: '4711', name: 'kelvin', email: 'kelvin@acme.example' } }),
  row(6, { display_name: 'كيلفن', integration_name: 'منصة المبيعات' }),
];

const NONE: StubbedApi = { 'e/dev/connection-rows': { data: [], next_cursor: null } };

/** D7. */
export const CONNECTION_LIST_SCREENS: Readonly<Record<string, DashboardScreen>> = {
  connections: {
    path: 'e/dev/connections',
    api: { 'e/dev/connection-rows': { data: ROWS, next_cursor: 'next' } },
    shows: '<script>alert(1)</script>',
  },
  'connections-empty': {
    path: 'e/dev/connections',
    api: { ...NONE, 'e/dev/connections-count': { data: { total: 0, needs_attention: 0 } } },
    shows: 'No connections yet',
  },
  'connections-no-match': { path: 'e/dev/connections?state=pending&integration=jira', api: NONE, shows: 'Nothing matches.' },
  'connections-broken': {
    path: 'e/dev/connections',
    api: { 'e/dev/connection-rows': new Refusal(500, 'server_error') },
    shows: 'This could not be loaded',
  },
};
