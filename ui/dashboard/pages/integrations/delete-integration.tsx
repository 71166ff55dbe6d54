import { useState } from 'preact/hooks';
import { useApp, useEnvironment, useMay } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { DestructiveDialog } from '../../components/destructive-dialog.tsx';
import { totalOf } from './connections-link.tsx';
import type { Found } from './shown-integration.ts';
import { t } from './texts.ts';

/** The button that deletes an integration after a question, for members who may. */
export function DeleteIntegration({ path, integration, status }: Pick<Found, 'path' | 'integration' | 'status'>) {
  const { client, resources, navigation, toast } = useApp();
  const { name: environment } = useEnvironment();
  const [isDeleting, setDeleting] = useState(false);
  if (!useMay('developer')) return null;
  const remove = async () => {
    await client.send('DELETE', path);
    navigation.go(pathOf(['e', environment, 'integrations']));
    resources.invalidate(`api/ui/e/${encodeURIComponent(environment)}/integrations-overview`);
    toast(t('deleted', { name: integration.display_name }));
  };
  return (
    <>
      <button type="button" class="btn quiet" onClick={() => setDeleting(true)}>
        {t('delete_begin')}
      </button>
      {isDeleting && (
        <DestructiveDialog
          title={t('delete_heading', { name: integration.display_name })}
          consequence={t.bounded('delete_consequence', totalOf(status.connections))}
          verb={t('delete')}
          name={integration.unique_key}
          act={remove}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}
