import { useState } from 'preact/hooks';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useMay } from '../../context.ts';
import { useList } from '../../hooks/use-list.ts';
import { KeyActions } from './key-actions.tsx';
import { CreateKey } from './new-key.tsx';
import { inWords, type Key, type NewKey } from './scope-words.ts';
import { SettingsPage, useEnvironmentPath } from './settings-page.tsx';
import { ShownOnce } from './shown-once.tsx';
import { t } from './texts.ts';

/** What the application signs its requests with. */
export function Keys() {
  const path = `${useEnvironmentPath()}/keys`;
  const mayChange = useMay('developer');
  const [made, setMade] = useState<NewKey | undefined>();
  const list = useList<Key>(path);
  const columns: readonly Column<Key>[] = [
    { head: t('name'), cell: ({ name }) => <b class="clip">{name}</b> },
    { head: t('scopes'), cell: ({ scopes }) => <span class="clip">{inWords(scopes)}</span>, phone: 'second' },
    { head: t('created'), cell: ({ created_at: at }) => <RelativeTime at={at} />, isNumber: true, isWide: true },
    { head: t('last_used'), cell: ({ last_used_at: at }) => <RelativeTime at={at} />, isNumber: true, isWide: true },
    { head: t('expires'), cell: ({ expires_at: at }) => <RelativeTime at={at} />, isNumber: true },
    ...(mayChange
      ? [
          {
            head: t('actions'),
            cell: (key: Key) => <KeyActions path={path} apiKey={key} onMade={setMade} />,
            phone: 'end' as const,
          },
        ]
      : []),
  ];
  return (
    <SettingsPage>
      <div class="stack">
        {made && <ShownOnce apiKey={made} onDone={() => setMade(undefined)} />}
        <DataTable
          caption={t('keys')}
          list={list}
          columns={columns}
          keyOf={({ id }) => String(id)}
          empty={<Empty title={t('no_keys')} />}
        />
        {mayChange && (
          <Card title={t('create_key')}>
            <CreateKey path={path} onMade={setMade} />
          </Card>
        )}
      </div>
    </SettingsPage>
  );
}
