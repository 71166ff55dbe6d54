import { Icon } from '../../components/icon.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { useApp, useMay, useMe, useParams } from '../context.ts';
import { startOf } from '../navigation.ts';
import { pathOf } from '../router.ts';
import { t } from '../texts/en.ts';
import { usePlace } from '../use-place.ts';

/** The sections whose parts every environment has. */
const PARTED = ['settings', 'webhooks'];

/** A menu that leads to the same section of another environment, and to the same part of it if every environment has that. */
export function EnvironmentSwitch({ current }: { readonly current: string }) {
  const { environments } = useMe();
  const { env } = useParams();
  const { path } = usePlace(useApp().navigation);
  const isAdmin = useMay('admin');
  const [, , section, part] = path.split('/');
  const hrefOf = (name: string) => {
    if (env === undefined || section === undefined) return startOf(name);
    return pathOf(PARTED.includes(section) && part !== undefined ? ['e', name, section, part] : ['e', name, section]);
  };
  const dotOf = (name: string) => (environments.find((one) => one.name === name)?.is_production ? 'dot production' : 'dot');
  return (
    <Menu
      class="env"
      label={t('environment', { name: current })}
      button={
        <>
          <i class={dotOf(current)} />
          <span class="clip">{current}</span>
          <Icon name="down" />
        </>
      }
    >
      {environments.map(({ name }) => (
        <MenuItem key={name} href={hrefOf(name)} isChosen={name === current}>
          <i class={dotOf(name)} />
          {name}
        </MenuItem>
      ))}
      {isAdmin && (
        <>
          <hr />
          <MenuItem href="account/environments">
            <Icon name="plus" />
            {t('create_environment')}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
