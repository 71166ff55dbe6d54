import { CodeBlock } from '../../components/code-block.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useEnvironment } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { useList } from '../../hooks/use-list.ts';
import type { Reply } from '../../wire.ts';
import { ScriptSwitch } from './script-switch.tsx';
import { t } from './texts.ts';

type Row = Reply<'getScriptsOverview'>['data'][number];

const EXAMPLE = `// welcome.js
export default async function (svc) {
  await svc.updateMetadata({ welcomed: true });
}

# deploys it
jq -Rs '{language: "javascript", source: .}' welcome.js |
  curl -X PUT -H "Authorization: Bearer $SVC_KEY" -H "Content-Type: application/json" -d @- \\
    "$SVC_URL/integrations/<integration ID>/scripts/post-connection-creation"`;

/** D12. */
export function Scripts() {
  const { name } = useEnvironment();
  const base = `api/ui/e/${encodeURIComponent(name)}`;
  const list = useList<Row>(`${base}/scripts`);
  return (
    <Page title={t('heading')} lead={t('lead')}>
      <DataTable
        caption={t('heading')}
        list={list}
        columns={columnsFor(base)}
        keyOf={({ unique_key: key, event }) => `${event} ${key}`}
        hrefOf={({ unique_key: key, event }) => pathOf(['e', name, 'scripts', key, event])}
        empty={
          <>
            <Empty title={t('empty')} hint={t('empty_hint')} />
            <div class="body">
              <CodeBlock label={t('example')} snippets={{ curl: EXAMPLE }} />
            </div>
          </>
        }
      />
    </Page>
  );
}

function columnsFor(base: string): readonly Column<Row>[] {
  return [
    { head: t('event'), cell: ({ event }) => <code>{event}</code> },
    { head: t('integration'), cell: ({ display_name: name }) => <span dir="auto">{name}</span>, phone: 'second' },
    { head: t('version'), cell: ({ version }) => String(version), isNumber: true, isWide: true },
    {
      head: t('enabled'),
      cell: ({ unique_key: uniqueKey, display_name: name, event, enabled }) => (
        <ScriptSwitch {...{ base, uniqueKey, event }} isOn={enabled} label={t('enable', { event, name })} />
      ),
      phone: 'end',
    },
    { head: t('last_run'), cell: ({ last_run_at: at }) => (at === null ? t('never') : <RelativeTime at={at} />) },
    { head: t('failures'), cell: ({ failures }) => String(failures), isNumber: true },
  ];
}
