import { useEnvironment, useMayHoldSecrets, useMe } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useList } from '../../app/use-list.ts';
import { useResource } from '../../app/use-resource.ts';
import { Badge } from '../../components/badge.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { figure } from '../../components/figure.ts';
import { logsPath } from '../../components/logs-path.ts';
import { Note } from '../../components/note.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { CALLS } from '../../components/snippets/calls.ts';
import { snippetsOf } from '../../components/snippets/languages.ts';
import type { Column } from '../../components/table-head.tsx';
import { oneDayAgo } from '../../components/times.ts';
import { ScriptSwitch } from './script-switch.tsx';
import { t } from './texts.ts';

type Row = Reply<'getScriptsOverview'>['data'][number];

/** The list of scripts. */
export function Scripts() {
  const { name } = useEnvironment();
  const { log_retention_days: days } = useMe();
  const path = pathOf(['api', 'ui', 'e', name, 'scripts']);
  const list = useList<Row>(path);
  const waiting = useResource<Reply<'getScriptsOverview'>>(path).value?.waiting ?? 0;
  return (
    <Page title={t('heading')} lead={t('lead')} actions={list.rows?.length !== 0 && <NewScriptLink />}>
      {waiting > 0 && <Note tone="plain" title={waitingText(waiting)} />}
      <DataTable
        caption={t('heading')}
        list={list}
        columns={columnsFor(name, days)}
        keyOf={({ unique_key: key, event }) => `${event} ${key}`}
        hrefOf={({ unique_key: key, event }) => pathOf(['e', name, 'scripts', key, event])}
        count={(total) => t.count('total', total)}
        empty={<NoScripts />}
      />
    </Page>
  );
}

/** The service counts at most one more than this. */
const MAX_WAITING = 1_000;

function waitingText(count: number): string {
  return count > MAX_WAITING ? t('waiting_many', { count: figure(MAX_WAITING) }) : t.count('waiting', count);
}

function NewScriptLink() {
  const { name } = useEnvironment();
  if (!useMayHoldSecrets()) return null;
  return (
    <a class="btn primary" href={pathOf(['e', name, 'scripts', 'new'])}>
      {t('new_script')}
    </a>
  );
}

function NoScripts() {
  const { name } = useEnvironment();
  const { base_url: baseUrl } = useMe();
  const integrations = useResource<Reply<'getIntegrationsOverview'>>(pathOf(['api', 'ui', 'e', name, 'integrations-overview']));
  const integration = integrations.value?.data[0]?.unique_key;
  const values = { baseUrl, integration: integration ?? '', connectionId: '', path: '' };
  return (
    <>
      <Empty title={t('empty')} hint={t('empty_hint')}>
        <NewScriptLink />
      </Empty>
      {integration !== undefined && (
        <div class="body">
          <p class="label">{t('example')}</p>
          <CodeBlock label={t('example')} snippets={snippetsOf(CALLS.script(values), values)} />
        </div>
      )}
    </>
  );
}

function columnsFor(environment: string, days: number): readonly Column<Row>[] {
  const base = pathOf(['api', 'ui', 'e', environment]);
  return [
    {
      head: t('script'),
      cell: ({ display_name: name, event }) => (
        <span class="two">
          <span dir="auto">{name}</span>
          <code class="small faint">{event}</code>
        </span>
      ),
    },
    { head: t('version'), cell: ({ version }) => String(version), isNumber: true, isWide: true },
    {
      head: t('enabled'),
      cell: ({ unique_key: uniqueKey, display_name: name, event, enabled }) => (
        <ScriptSwitch {...{ base, uniqueKey, event }} isOn={enabled} label={t('enable', { event, name })} />
      ),
      phone: 'end',
    },
    {
      head: t('last_run'),
      cell: ({ last_run_at: at }) => (at === null ? t.count('no_run', days) : <RelativeTime at={at} />),
      phone: 'second',
    },
    {
      head: t('failures'),
      cell: (row) => <Failures environment={environment} {...row} />,
      phone: 'end-second',
    },
  ];
}

/** The number of failed runs, as a link to them in the logs. */
function Failures({ environment, unique_key: integration, event, failures }: Row & { readonly environment: string }) {
  if (failures === 0) return <>{t('none')}</>;
  const only = { type: 'script', operation: event, integration, status: 'failure', since: oneDayAgo() };
  return (
    <a href={logsPath(environment, only)}>
      <Badge tone="bad">{t.count('failed', failures)}</Badge>
    </a>
  );
}
