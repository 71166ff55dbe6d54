import { useEnvironment, useMay } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { Icon } from '../../components/icon.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { MadeLink, useConnectLink, useTestTags } from './connect-link.tsx';
import { t } from './texts.ts';

interface AddMenuProps {
  /** True when the environment has an integration. Without one, a connect link would have nothing to offer. */
  readonly hasIntegration: boolean;
  readonly isPrimary: boolean;
}

/** The menu with the ways to add a connection. */
export function AddMenu({ hasIntegration, isPrimary }: AddMenuProps) {
  const { name } = useEnvironment();
  const link = useConnectLink({ tags: useTestTags() });
  const path = pathOf(['e', name, 'connections', 'new']);
  if (!useMay('developer')) return null;
  return (
    <>
      <Menu
        class={isPrimary ? 'btn primary' : 'btn'}
        button={
          <>
            {t('add')}
            <Icon name="down" />
          </>
        }
      >
        <MenuItem href={path}>{t('test')}</MenuItem>
        {hasIntegration && <MenuItem onClick={() => void link.run()}>{t('copy_link')}</MenuItem>}
        <MenuItem href={`${path}?way=import`}>{t('import')}</MenuItem>
      </Menu>
      <MadeLink {...link} />
    </>
  );
}
