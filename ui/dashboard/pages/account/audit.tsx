import { Monogram } from '../../../kit/logo.tsx';
import { useMe } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { useList } from '../../app/use-list.ts';
import { useFilters } from '../../app/use-place.ts';
import { useResource } from '../../app/use-resource.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, SelectFilter } from '../../components/filter-bar.tsx';
import { ActorFilter } from '../../components/history/actor-filter.tsx';
import type { Actor } from '../../components/history/actors.ts';
import { type Period, PeriodFilter } from '../../components/history/period-filter.tsx';
import { Icon } from '../../components/icon.tsx';
import type { Column } from '../../components/table-head.tsx';
import { absoluteTime, dateFormat, localeOf } from '../../components/times.ts';
import { AdminPage } from './account-page.tsx';
import { ACTIONS, didOf, type Entry, factsOf, whoOf } from './audit-words.ts';
import { AUDIT, ExportAudit } from './export-audit.tsx';
import { MEMBERS } from './member-row.tsx';
import { t } from './texts.ts';

const FILTERS = ['since', 'until', 'actor', 'actor_id', 'action', 'environment'] as const;
const PERIODS: readonly Period[] = ['24h', '7d', '30d', '90d'];

const COLUMNS: readonly Column<Entry>[] = [
  { head: t('audit_what'), cell: (entry) => <What {...entry} /> },
  { head: t('environment'), cell: ({ environment }) => environment ?? '–', phone: 'second' },
  { head: t('audit_from'), cell: ({ address }) => <code>{address ?? t('audit_here')}</code>, isWide: true },
  { head: t('audit_at'), cell: ({ at }) => <Time at={at} />, isNumber: true, phone: 'end-second' },
];

/** The page of the audit trail: who changed, revealed, exported or deleted what. */
export function Audit() {
  return <AdminPage>{() => <Entries />}</AdminPage>;
}

function Entries() {
  const { query } = useFilters();
  const { environments } = useMe();
  const filter = new URLSearchParams(FILTERS.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : [])));
  const path = filter.size === 0 ? AUDIT : `${AUDIT}?${filter}`;
  const list = useList<Entry>(path);
  const members = useResource<Reply<'listMembers'>>(MEMBERS).value?.data.members ?? [];
  return (
    <div class="stack">
      <FilterBar>
        <PeriodFilter periods={PERIODS} />
        <ActorFilter people={peopleOf(members, list.rows ?? [])} />
        <SelectFilter name="action" label={t('audit_action')} choices={ACTIONS} />
        <SelectFilter
          name="environment"
          label={t('environment')}
          choices={environments.map(({ name }) => ({ value: name, label: name }))}
        />
        <span class="push">
          <ExportAudit path={path} filter={filter} />
        </span>
      </FilterBar>
      <p class="soft">
        {t('audit_lead')} {t('audit_verify')} <code>svc audit verify</code>.
      </p>
      <DataTable
        caption={t('audit')}
        list={list}
        columns={COLUMNS}
        keyOf={({ sequence }) => String(sequence)}
        filters={FILTERS}
        count={(total) => t.count('entries', total)}
        empty={<Empty title={t('no_audit')} hint={t('no_audit_hint')} />}
      />
    </div>
  );
}

/** Returns the members, and the other people and keys of the shown entries, such as former members. */
function peopleOf(members: Reply<'listMembers'>['data']['members'], entries: readonly Entry[]): readonly Actor[] {
  const known = members.map(({ id, email }): Actor => ({ kind: 'member', id: String(id), name: email }));
  const shown = entries.map(({ actor }) => actor).filter(({ id }) => id !== null);
  return [...new Map([...shown, ...known].map((one) => [`${one.kind} ${one.id}`, one])).values()];
}

function What(entry: Entry) {
  const { actor } = entry;
  const facts = factsOf(entry);
  return (
    <div class="who">
      {actor.kind === 'member' ? (
        <Monogram name={actor.name ?? ''} size="m" />
      ) : (
        <span class="logo round m t6">
          <Icon name={actor.kind === 'api_key' ? 'key' : 'code'} />
        </span>
      )}
      <div class="grow">
        <div>
          <b>{whoOf(entry)}</b> {didOf(entry)}
        </div>
        {facts !== '' && <div class="small faint">{facts}</div>}
      </div>
    </div>
  );
}

function Time({ at }: { readonly at: string }) {
  const locale = localeOf(navigator.languages);
  const date = new Date(at);
  return (
    <time dateTime={at} title={absoluteTime(date, locale)}>
      {dateFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(date)}
    </time>
  );
}
