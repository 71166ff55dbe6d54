import { useApp, useEnvironment, useMay } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { DeleteCard } from '../../components/delete-card.tsx';
import { DestructiveDialog } from '../../components/destructive-dialog.tsx';
import { totalOf } from './connections-link.tsx';
import type { TabProps } from './shown-integration.ts';
import { t } from './texts.ts';

export function DeleteTab({ path, integration, status }: Pick<TabProps, 'path' | 'integration' | 'status'>) {
  const { client, resources, navigation, toast } = useApp();
  const { name: environment } = useEnvironment();
  const mayDelete = useMay('developer');
  const consequence = t.bounded('delete_consequence', totalOf(status.connections));
  const remove = async () => {
    await client.send('DELETE', path);
    navigation.go(pathOf(['e', environment, 'integrations']));
    resources.invalidate(`api/ui/e/${encodeURIComponent(environment)}/integrations-overview`);
    toast(t('deleted', { name: integration.display_name }));
  };
  return (
    <div class="narrow">
      <DeleteCard
        verb={t('delete')}
        consequence={consequence}
        mayDelete={mayDelete}
        dialog={(close) => (
          <DestructiveDialog
            title={t('delete_heading', { name: integration.display_name })}
            consequence={consequence}
            verb={t('delete')}
            name={integration.unique_key}
            act={remove}
            onClose={close}
          />
        )}
      />
    </div>
  );
}
