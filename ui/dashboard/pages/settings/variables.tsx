import { useEnvironmentPath, useMay } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { useList } from '../../app/use-list.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import type { Column } from '../../components/table-head.tsx';
import { SettingsPage } from './settings-page.tsx';
import { t } from './texts.ts';
import { AddVariable, VariableActions } from './variable-forms.tsx';

type Variable = Reply<'listVariables'>['data'][number];

/** The section of the variables that scripts read. Their values are never shown. */
export function Variables() {
  const path = `${useEnvironmentPath()}/variables`;
  const mayChange = useMay('developer');
  const list = useList<Variable>(path);
  const columns: readonly Column<Variable>[] = [
    {
      head: t('name'),
      cell: ({ name }) => (
        <code class="clip" title={name}>
          {name}
        </code>
      ),
    },
    ...(mayChange
      ? [
          {
            head: t('actions'),
            cell: ({ name }: Variable) => <VariableActions path={path} name={name} />,
            phone: 'end' as const,
          },
        ]
      : []),
  ];
  return (
    <SettingsPage>
      <div class="stack">
        <div class="bar">
          <p class="soft">{t('variables_lead')}</p>
          {mayChange && list.rows !== undefined && (
            <div class="push">
              <AddVariable path={path} taken={list.rows.map(({ name }) => name)} />
            </div>
          )}
        </div>
        <DataTable
          caption={t('variables')}
          list={list}
          columns={columns}
          keyOf={({ name }) => name}
          count={(total) => t.count('variable_total', total)}
          empty={<Empty title={t('no_variables')} hint={t('no_variables_hint')} />}
        />
      </div>
    </SettingsPage>
  );
}
