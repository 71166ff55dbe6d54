import { useState } from 'preact/hooks';
import { useApp, useMay } from '../../app/context.ts';
import { Icon } from '../../components/icon.tsx';
import { logsPath } from '../../components/logs-path.ts';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { DeleteConnection } from './delete-connection.tsx';
import { useReconnect } from './reconnect.tsx';
import { type Found, isBroken, logsQuery } from './shown-connection.ts';
import { t } from './texts.ts';

/** The actions on a connection, which all tabs have. */
export function ConnectionActions(found: Found) {
  const { toast } = useApp();
  const mayChange = useMay('developer');
  const [isDeleting, setDeleting] = useState(false);
  const { address } = found;
  const isNeeded = isBroken(found.health);
  const { show, copy, isRunning, outcome } = useReconnect(address);
  const copyId = () =>
    navigator.clipboard.writeText(address.id).then(
      () => toast(t('id_copied')),
      () => undefined,
    );
  return (
    <>
      {mayChange && isNeeded && (
        <button type="button" class="btn primary" disabled={isRunning} onClick={show}>
          {t('reconnect')}
        </button>
      )}
      <Menu class="btn icon" label={t('more')} button={<Icon name="dots" />}>
        <MenuItem onClick={() => void copyId()}>{t('copy_id')}</MenuItem>
        {mayChange && !isNeeded && <MenuItem onClick={show}>{t('reconnect')}</MenuItem>}
        {mayChange && <MenuItem onClick={copy}>{t('copy_reconnect')}</MenuItem>}
        <MenuItem href={logsPath(address.environment, logsQuery(address))}>{t('open_logs')}</MenuItem>
        {mayChange && (
          <>
            <hr />
            <MenuItem isDangerous onClick={() => setDeleting(true)}>
              {t('delete')}
            </MenuItem>
          </>
        )}
      </Menu>
      {outcome}
      {isDeleting && <DeleteConnection {...found} onClose={() => setDeleting(false)} />}
    </>
  );
}
