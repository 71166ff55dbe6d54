import { useApp } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { DestructiveDialog } from '../../components/destructive-dialog.tsx';
import { apiPath, changedPath, type Found, nameOf } from './shown-connection.ts';
import { t } from './texts.ts';

/** Asks for a confirmation, deletes the connection, and goes to the list of connections. */
export function DeleteConnection({ onClose, ...found }: Found & { readonly onClose: () => void }) {
  const { client, resources, navigation, toast } = useApp();
  const { address } = found;
  const name = nameOf(found);
  const remove = async () => {
    await client.send('DELETE', apiPath(address));
    navigation.go(pathOf(['e', address.environment, 'connections']));
    resources.invalidate(changedPath(address.environment));
    toast(t('deleted', { name }));
  };
  return (
    <DestructiveDialog
      title={t(name === address.id ? 'delete_heading_unnamed' : 'delete_heading', {
        name,
        integration: found.status.integration.display_name,
      })}
      consequence={t('delete_consequence')}
      verb={t('delete')}
      name={address.id}
      act={remove}
      onClose={onClose}
    />
  );
}
