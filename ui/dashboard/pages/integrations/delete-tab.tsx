import { useState } from 'preact/hooks';
import { useApp, useEnvironment, useMay } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { Card } from '../../components/card.tsx';
import { DestructiveDialog } from '../../components/destructive-dialog.tsx';
import { totalOf } from './connections-link.tsx';
import type { TabProps } from './shown-integration.ts';
import { t } from './texts.ts';

export function DeleteTab({ path, integration, status }: Pick<TabProps, 'path' | 'integration' | 'status'>) {
  const { client, resources, navigation, toast } = useApp();
  const { name: environment } = useEnvironment();
  const mayDelete = useMay('developer');
  const [isAsking, setAsking] = useState(false);
  const consequence = t.bounded('delete_consequence', totalOf(status.connections));
  const remove = async () => {
    await client.send('DELETE', path);
    navigation.go(pathOf(['e', environment, 'integrations']));
    resources.invalidate(`api/ui/e/${encodeURIComponent(environment)}/integrations-overview`);
    toast(t('deleted', { name: integration.display_name }));
  };
  return (
    <div class="narrow">
      <Card title={t('delete')}>
        <p>{consequence}</p>
        {mayDelete && (
          <div class="actions spaced">
            <button type="button" class="btn danger" onClick={() => setAsking(true)}>
              {t('delete')}
            </button>
          </div>
        )}
      </Card>
      {isAsking && (
        <DestructiveDialog
          title={t('delete_heading', { name: integration.display_name })}
          consequence={consequence}
          verb={t('delete')}
          name={integration.unique_key}
          act={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
