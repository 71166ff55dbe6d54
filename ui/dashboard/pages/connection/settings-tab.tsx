import { useState } from 'preact/hooks';
import { Card } from '../../components/card.tsx';
import { DestructiveDialog } from '../../components/destructive-dialog.tsx';
import { useApp, useMay } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { apiPath, changedPath, type Found, nameOf } from './shown-connection.ts';
import { t } from './texts.ts';

export function SettingsTab(found: Found) {
  const { client, resources, navigation, toast } = useApp();
  const mayDelete = useMay('developer');
  const [isAsking, setAsking] = useState(false);
  const { address } = found;
  const name = nameOf(found);
  const remove = async () => {
    await client.send('DELETE', apiPath(address));
    navigation.go(pathOf(['e', address.environment, 'connections']));
    resources.invalidate(changedPath(address.environment));
    toast(t('deleted', { name }));
  };
  return (
    <div class="narrow">
      <Card title={t('delete')}>
        <p>{t('delete_consequence')}</p>
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
          title={t('delete_heading', { name })}
          consequence={t('delete_consequence')}
          verb={t('delete')}
          name={address.id}
          act={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
