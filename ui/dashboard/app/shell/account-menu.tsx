import { useState } from 'preact/hooks';
import { Monogram } from '../../../kit/logo.tsx';
import { Icon } from '../../components/icon.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { useAction } from '../../components/use-action.ts';
import { useApp, useMay, useMe } from '../context.ts';
import { t } from '../texts/en.ts';
import { chooseTheme, chosenTheme, paintTheme, type Theme } from '../theme.ts';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** The menu of the signed-in member: name, theme, account and sign-out. */
export function AccountMenu() {
  const { client, resources, navigation } = useApp();
  const { name, email, version } = useMe();
  const isAdmin = useMay('admin');
  const [theme, setTheme] = useState(chosenTheme(() => localStorage));
  const choose = (next: Theme) => {
    chooseTheme(() => localStorage, next);
    paintTheme(document.documentElement, next);
    setTheme(next);
  };
  const { run: signOut } = useAction(async () => {
    await client.send('POST', 'api/ui/logout');
    navigation.go('login');
    resources.clear();
  });
  return (
    <Menu
      class="me"
      button={
        <>
          <Monogram name={name} size="s" />
          <span class="sr">{t('account')}</span>
          <span class="clip">{name}</span>
          <Icon name="down" />
        </>
      }
    >
      <p class="small soft clip" title={email}>
        {email}
      </p>
      <MenuItem href="account/sessions">{t('sessions')}</MenuItem>
      <MenuItem href="account/security">{t('security')}</MenuItem>
      <hr />
      {isAdmin && (
        <>
          <MenuItem href="account/members">{t('members')}</MenuItem>
          <MenuItem href="account/environments">{t('environments')}</MenuItem>
          <MenuItem href="account/keys">{t('account_keys')}</MenuItem>
          <MenuItem href="account/audit">{t('audit')}</MenuItem>
          <MenuItem href="account/instance">{t('instance')}</MenuItem>
          <hr />
        </>
      )}
      {THEMES.map((one) => (
        <MenuItem key={one} isChosen={one === theme} onClick={() => choose(one)}>
          {t(`theme_${one}`)}
        </MenuItem>
      ))}
      <hr />
      <MenuItem onClick={() => void signOut()}>{t('sign_out')}</MenuItem>
      <p class="tiny faint">{t('version', { version })}</p>
    </Menu>
  );
}
