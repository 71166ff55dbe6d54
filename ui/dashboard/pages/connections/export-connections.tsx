import { useEnvironment } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import type { CsvColumns } from '../../components/csv.ts';
import { ExportCsv } from '../../components/export-csv.tsx';
import { figure } from '../../components/figure.ts';
import { accountName } from '../../components/whose.ts';
import { t } from './texts.ts';

type Row = Reply<'listConnectionRows'>['data'][number];

/** The largest page of the service's list. */
const PAGE = 500;
/** Maximum number of connections in a file. */
const MAX = 10_000;

/** The columns of a file of connections. */
export const CSV_COLUMNS: CsvColumns<Row> = {
  name: ({ display_name: name }) => name,
  email: ({ email }) => email,
  end_user_id: ({ end_user_id: id }) => id,
  organization: ({ organization }) => organization,
  integration: ({ provider_config_key: key }) => key,
  provider: ({ provider }) => provider,
  state: ({ state }) => state,
  connection_id: ({ connection_id: id }) => id,
  account: ({ provider_account: account }) => account && accountName(account),
  created_at: ({ created_at: at }) => at,
  last_used_at: ({ last_fetched_at: at }) => at,
};

/** A button that saves the connections that the filters select as a file. @param path the path of the list, with its filters */
export function ExportConnections({ path }: { readonly path: string }) {
  const { name } = useEnvironment();
  return (
    <ExportCsv<Row>
      path={path}
      pageSize={PAGE}
      max={MAX}
      file={`connections-${name}`}
      columns={CSV_COLUMNS}
      said={(count, isAll) => (isAll ? t.count('exported', count) : t('exported_first', { count: figure(count) }))}
    />
  );
}
