import { Empty } from '../../components/empty.tsx';
import { Icon } from '../../components/icon.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { useEnvironment, useMay } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { useResource } from '../../hooks/use-resource.ts';
import type { Many } from '../../wire.ts';
import { MadeLink, useConnectLink, useTestTags } from './connect-link.tsx';
import { t } from './texts.ts';

/** The ways to one more connection. */
export function AddMenu() {
  const { name } = useEnvironment();
  const link = useConnectLink({ tags: useTestTags() });
  const path = pathOf(['e', name, 'connections', 'new']);
  if (!useMay('developer')) return null;
  return (
    <>
      <Menu
        class="btn primary"
        button={
          <>
            {t('add')}
            <Icon name="down" />
          </>
        }
      >
        <MenuItem href={path}>{t('test')}</MenuItem>
        <MenuItem onClick={() => void link.run()}>{t('copy_link')}</MenuItem>
        <MenuItem href={`${path}?way=import`}>{t('import')}</MenuItem>
      </Menu>
      <MadeLink {...link} />
    </>
  );
}

/** Nobody has connected anything. Without an integration a link would lead nowhere. */
export function Nothing() {
  const { name } = useEnvironment();
  const integrations = useResource<Many<unknown>>(pathOf(['api', 'ui', 'e', name, 'integrations-overview'])).value?.data ?? [];
  const link = useConnectLink({ tags: useTestTags() });
  const mayAdd = useMay('developer');
  return (
    <Empty title={t('empty')} hint={t('empty_hint')}>
      {mayAdd && (
        <>
          <a class="btn" href={pathOf(['e', name, 'connections', 'new'])}>
            {t('connect_test')}
          </a>
          {integrations.length > 0 && (
            <button type="button" class="btn" disabled={link.isRunning} onClick={() => void link.run()}>
              {t('copy_link')}
            </button>
          )}
          <MadeLink {...link} />
        </>
      )}
    </Empty>
  );
}
