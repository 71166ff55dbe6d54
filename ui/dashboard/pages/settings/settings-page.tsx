import type { ComponentChildren } from 'preact';
import { useApp, useEnvironment } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { usePlace } from '../../app/use-place.ts';
import { useResource } from '../../app/use-resource.ts';
import { Failure } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { t } from './texts.ts';

/** The sections. Each is a page at `e/:env/settings/<key>`; the general settings are at `e/:env/settings`. */
const SECTIONS = {
  keys: 'keys',
  'connect-ui': 'connect_ui',
  webhooks: 'webhooks',
  callback: 'callback',
  variables: 'variables',
} as const;

export type Settings = Reply<'getSettings'>['data'];

/** Returns the common prefix of the environment's paths in the private interface. */
export function useEnvironmentPath(): string {
  return `api/ui/e/${encodeURIComponent(useEnvironment().name)}`;
}

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
    <Page title={t('heading')} section={all.find(({ href }) => href === path)?.text}>
      <Tabs label={t('sections')} tabs={all} />
      {children}
    </Page>
  );
}

/** Loads the settings for a section that shows some of them. */
export function LoadedSettings({ children }: { readonly children: (settings: Settings) => ComponentChildren }) {
  const { value, error, reload } = useResource<Reply<'getSettings'>>(`${useEnvironmentPath()}/settings`);
  if (value !== undefined) return <>{children(value.data)}</>;
  return error === undefined ? <Skeleton rows={5} /> : <Failure error={error} onRetry={reload} />;
}
