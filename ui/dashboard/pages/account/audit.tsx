import type { Reply } from '../../app/replies.ts';
import { useList } from '../../app/use-list.ts';
import { useFilters } from '../../app/use-place.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, SelectFilter } from '../../components/filter-bar.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-head.tsx';
import { AdminPage } from './account-page.tsx';
import { ACTIONS } from './audit-actions.ts';
import { t } from './texts.ts';

type Entry = Reply<'listAuditEntries'>['data'][number];

const AUDIT = 'api/ui/account/audit';

const COLUMNS: readonly Column<Entry>[] = [
  { head: t('audit_action'), cell: (entry) => <Action {...entry} /> },
  { head: t('audit_actor'), cell: ({ actor }) => <Actor {...actor} />, phone: 'second' },
  { head: t('environment'), cell: ({ environment }) => environment ?? '–', phone: 'end-second' },
  { head: t('audit_facts'), cell: ({ facts }) => <Facts facts={facts} />, isWide: true },
  { head: t('address'), cell: ({ address }) => <code>{address ?? t('audit_here')}</code>, isWide: true },
  { head: t('audit_at'), cell: ({ at }) => <RelativeTime at={at} />, isNumber: true, phone: 'end' },
];

/** The page of the audit trail: who changed, revealed, exported or deleted what. */
export function Audit() {
  return <AdminPage>{() => <Entries />}</AdminPage>;
}

function Entries() {
  const { query } = useFilters();
  const action = query.get('action');
  const list = useList<Entry>(action === null ? AUDIT : `${AUDIT}?${new URLSearchParams({ action })}`);
  const empty = <Empty title={t('no_audit')} hint={t('no_audit_hint')} />;
  return (
    <div class="stack">
      <p class="soft">
        {t('audit_lead')} {t('audit_verify')} <code>svc audit verify</code>. {t('audit_export')}{' '}
        <code>svc audit export --output audit.jsonl</code>.
      </p>
      <FilterBar>
        <SelectFilter name="action" label={t('audit_action')} choices={ACTIONS.map((value) => ({ value, label: value }))} />
      </FilterBar>
      <DataTable
        caption={t('audit')}
        list={list}
        columns={COLUMNS}
        keyOf={({ sequence }) => String(sequence)}
        filters={['action']}
        count={(total) => t.count('entries', total)}
        empty={empty}
      />
    </div>
  );
}

function Action({ action, subject }: Entry) {
  return (
    <span class="two">
      <code>{action}</code>
      <span class="soft">{subject.name ?? subject.id ?? subject.type}</span>
    </span>
  );
}

function Actor({ name, kind }: Entry['actor']) {
  return (
    <span class="clip" title={name ?? kind}>
      {name ?? kind}
    </span>
  );
}

function Facts({ facts }: Pick<Entry, 'facts'>) {
  const text = Object.entries(facts)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
  return (
    <span class="clip" title={text}>
      {text || '–'}
    </span>
  );
}
