import { useApp, useMay } from '../../app/context.ts';
import { ME } from '../../app/replies.ts';
import { Card } from '../../components/card.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { DeleteCard } from '../../components/delete-card.tsx';
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
  const remove = async () => {
    await client.send('DELETE', `api/ui/environments/${encodeURIComponent(name)}`);
    navigation.go('account/environments');
    resources.invalidate(ME);
    toast(t('deleted', { name }));
  };
  return (
    <DeleteCard
      verb={t('delete')}
      consequence={t('delete_consequence')}
      mayDelete
      dialog={(close) => (
        <DestructiveDialog
          title={t('delete_heading', { name })}
          consequence={t('delete_consequence')}
          verb={t('delete')}
          name={name}
          mustType
          act={remove}
          onClose={close}
        />
      )}
    />
  );
}
