import type { ComponentChildren } from 'preact';
import { Page } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { t } from './texts.ts';

/** In the order of the tabs; each is a page at `account/<name>` and a text. */
const SECTIONS = ['sessions', 'password'] as const;

/** What stands around each section of the account. */
export function AccountPage({ children }: { readonly children: ComponentChildren }) {
  return (
    <Page title={t('heading')}>
      <Tabs label={t('sections')} tabs={SECTIONS.map((name) => ({ href: `account/${name}`, text: t(name) }))} />
      {children}
    </Page>
  );
}
