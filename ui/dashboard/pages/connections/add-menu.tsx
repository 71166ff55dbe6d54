import { Icon } from '../../components/icon.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { useEnvironment, useMay } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { MadeLink, useConnectLink, useTestTags } from './connect-link.tsx';
import { t } from './texts.ts';

/** The ways to one more connection. @param hasIntegration without one a link would lead nowhere */
export function AddMenu({ hasIntegration }: { readonly hasIntegration: boolean }) {
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
        {hasIntegration && <MenuItem onClick={() => void link.run()}>{t('copy_link')}</MenuItem>}
        <MenuItem href={`${path}?way=import`}>{t('import')}</MenuItem>
      </Menu>
      <MadeLink {...link} />
    </>
  );
}
