import type { ComponentChildren } from 'preact';
import { useApp, useEnvironment } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { usePlace } from '../../app/use-place.ts';
import { Page } from '../../components/page.tsx';
import { t } from './texts.ts';

/** The sections. Each is a page at `e/:env/settings/<key>`; the general settings are at `e/:env/settings`. */
const SECTIONS = {
  keys: 'keys',
  'connect-ui': 'connect_ui',
  callback: 'callback',
  variables: 'variables',
} as const;

/** The frame around each section of an environment's settings. */
export function SettingsPage({ children }: { readonly children: ComponentChildren }) {
  const { name } = useEnvironment();
  const tabs = Object.entries(SECTIONS).map(([section, text]) => ({
    href: pathOf(['e', name, 'settings', section]),
    text: t(text),
  }));
  const all = [{ href: pathOf(['e', name, 'settings']), text: t('general') }, ...tabs];
  const { path } = usePlace(useApp().navigation);
  return (
    <Page title={t('heading')} section={all.find(({ href }) => href === path)?.text} tabs={all}>
      {children}
    </Page>
  );
}
