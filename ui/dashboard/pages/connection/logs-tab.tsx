import { pathOf } from '../../app/router.ts';
import { useList } from '../../app/use-list.ts';
import { useFilters } from '../../app/use-place.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, SelectFilter } from '../../components/filter-bar.tsx';
import { logsPath } from '../../components/logs-path.ts';
import { columnsFor } from '../logs/columns.tsx';
import { type LogEntry, STATUSES, TYPES, wordFor } from '../logs/log-entry.ts';
import { deliveriesPath, type Found, logsQuery } from './shown-connection.ts';
import { t } from './texts.ts';

const FILTERS = ['type', 'status'] as const;

/** The log of this connection: the list of the logs page, without the parts that need the room of a whole page. */
export function LogsTab({ address }: Found) {
  const { environment } = address;
  const query = logsQuery(address);
  const filters = useFilters().query;
  for (const name of FILTERS) {
    const value = filters.get(name);
    if (value !== null) query.set(name, value);
  }
  const list = useList<LogEntry>(`${pathOf(['api', 'ui', 'e', environment, 'logs'])}?limit=50&${query}`);
  return (
    <>
      <FilterBar>
        <SelectFilter
          name="type"
          label={t('logs_type')}
          choices={TYPES.map((value) => ({ value, label: wordFor('type', value) }))}
        />
        <SelectFilter
          name="status"
          label={t('logs_status')}
          choices={STATUSES.map((value) => ({ value, label: wordFor('status', value) }))}
        />
        <a href={logsPath(environment, query)}>{t('all_logs')}</a>
        <a href={deliveriesPath(address)}>{t('deliveries')}</a>
      </FilterBar>
      <DataTable
        caption={t('tab_logs')}
        list={list}
        columns={columnsFor(false)}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathOf(['e', environment, 'logs', id])}
        filters={FILTERS}
        count={(total) => t.count('operations', total)}
        empty={<Empty title={t('logs_empty')} />}
      />
    </>
  );
}
