import { useApp } from '../../app/context.ts';
import type { CsvColumns } from '../../components/csv.ts';
import { ExportCsv } from '../../components/export-csv.tsx';
import { figure } from '../../components/figure.ts';
import { actorOf } from '../../components/history/actors.ts';
import { didOf, type Entry } from './audit-words.ts';
import { t } from './texts.ts';

export const AUDIT = 'api/ui/account/audit';
/** The largest page of the service's list. */
const PAGE = 500;
/** Maximum number of entries in a file. */
const MAX = 10_000;

const COLUMNS: CsvColumns<Entry> = {
  sequence: ({ sequence }) => sequence,
  at: ({ at }) => at,
  environment: ({ environment }) => environment,
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  actor: (entry) => actorOf(entry),
  action: ({ action }) => action,
  what: (entry) => didOf(entry),
  subject_type: ({ subject }) => subject.type,
  subject_id: ({ subject }) => subject.id,
  subject_name: ({ subject }) => subject.name,
  facts: ({ facts }) => JSON.stringify(facts),
  address: ({ address }) => address,
};

interface ExportAuditProps {
  /** The path of the list, with its filters. */
  readonly path: string;
  readonly filter: URLSearchParams;
}

/** A button that records an export of what the filters select, then saves it as a file. */
export function ExportAudit({ path, filter }: ExportAuditProps) {
  const { client, resources } = useApp();
  return (
    <ExportCsv<Entry>
      path={path}
      pageSize={PAGE}
      max={MAX}
      file="audit"
      columns={COLUMNS}
      before={async () => {
        await client.send('POST', `${AUDIT}/exports`, Object.fromEntries(filter));
        resources.invalidate(AUDIT);
      }}
      said={(count, isAll) => (isAll ? t.count('audit_exported', count) : t('audit_exported_latest', { count: figure(count) }))}
    />
  );
}
