import type { ComponentChildren } from 'preact';
import { Page } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useMay } from '../../context.ts';
import { t } from './texts.ts';

/** In the order of the tabs; each is a page at `account/<name>` and a text. */
const OWN = ['sessions', 'password'] as const;
const FOR_ADMINS = ['members', 'environments', 'keys', 'audit', 'instance'] as const;

/** What stands around each section of the account. */
export function AccountPage({ children }: { readonly children: ComponentChildren }) {
  const sections = useMay('admin') ? [...OWN, ...FOR_ADMINS] : OWN;
  return (
    <Page title={t('heading')}>
      <Tabs label={t('sections')} tabs={sections.map((name) => ({ href: `account/${name}`, text: t(name) }))} />
      {children}
    </Page>
  );
}

/** A section that only admins may see. */
export function AdminPage({ children }: { readonly children: () => ComponentChildren }) {
  return <AccountPage>{useMay('admin') ? children() : <p class="soft">{t('admins_only')}</p>}</AccountPage>;
}
