import { useState } from 'preact/hooks';
import { useApp, useMay } from '../../app/context.ts';
import { ME } from '../../app/replies.ts';
import { Card } from '../../components/card.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { DestructiveDialog } from '../../components/destructive-dialog.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { LoadedSettings, type Settings } from '../../components/loaded-settings.tsx';
import { ProductionSwitch, RenameEnvironment } from './environment-changes.tsx';
import { SettingsPage } from './settings-page.tsx';
import { t } from './texts.ts';

/** The general settings of an environment: its kind, its name, and its deletion. */
export function General() {
  const isAdmin = useMay('admin');
  return (
    <SettingsPage>
      <LoadedSettings>
        {(settings) => (
          <div class="stack narrow">
            <Card title={t('environment')}>
              <KeyValues
                rows={{
                  [t('name')]: settings.name,
                  [t('uuid')]: <Copyable text={settings.uuid} what={t('uuid')} />,
                  [t('kind')]: t(settings.is_production ? 'production' : 'development'),
                }}
              />
            </Card>
            {isAdmin && <RenameEnvironment {...settings} />}
            {isAdmin && <ProductionSwitch {...settings} />}
            {isAdmin && <DeleteEnvironment {...settings} />}
          </div>
        )}
      </LoadedSettings>
    </SettingsPage>
  );
}

function DeleteEnvironment({ name }: Pick<Settings, 'name'>) {
  const { client, resources, navigation, toast } = useApp();
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    await client.send('DELETE', `api/ui/environments/${encodeURIComponent(name)}`);
    navigation.go('account/environments');
    resources.invalidate(ME);
    toast(t('deleted', { name }));
  };
  return (
    <Card title={t('delete')}>
      <p>{t('delete_consequence')}</p>
      <div class="actions spaced">
        <button type="button" class="btn danger" onClick={() => setAsking(true)}>
          {t('delete')}
        </button>
      </div>
      {isAsking && (
        <DestructiveDialog
          title={t('delete_heading', { name })}
          consequence={t('delete_consequence')}
          verb={t('delete')}
          name={name}
          mustType
          act={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}
