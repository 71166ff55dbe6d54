import { Card } from '../../components/card.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { Failure } from '../../components/failure.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useResource } from '../../hooks/use-resource.ts';
import type { Reply } from '../../wire.ts';
import { AdminPage } from './account-page.tsx';
import { t } from './texts.ts';

/** What runs here. */
export function Instance() {
  return <AdminPage>{() => <Facts />}</AdminPage>;
}

function Facts() {
  const { value, error, reload } = useResource<Reply<'getInstance'>>('api/ui/account/instance');
  if (value === undefined) return error === undefined ? <Skeleton rows={5} /> : <Failure error={error} onRetry={reload} />;
  const { version, base_url: baseUrl, database, encryption_key: key, log_retention_days: days } = value.data;
  return (
    <Card title={t('instance')}>
      <KeyValues
        rows={{
          [t('version')]: version,
          [t('base_url')]: <Copyable text={baseUrl} what={t('base_url')} />,
          [t('database')]: t(database === 'embedded' ? 'database_embedded' : 'database_external'),
          [t('encryption_key')]: <code>{key.current}</code>,
          [t('old_keys')]: key.others.length === 0 ? undefined : <code>{key.others.join(', ')}</code>,
          [t('retention')]: t.count('days', days),
        }}
      />
    </Card>
  );
}
