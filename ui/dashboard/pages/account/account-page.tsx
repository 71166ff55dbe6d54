import type { ComponentChildren } from 'preact';
import { useApp, useMay, useMe } from '../../app/context.ts';
import { t as common } from '../../app/texts/en.ts';
import { usePlace } from '../../app/use-place.ts';
import { Note } from '../../components/note.tsx';
import { Page } from '../../components/page.tsx';
import { t } from './texts.ts';

/**
 * The sections in the order of their tabs, first those that every member has. Each name is that of a page at `account/<name>` and
 * of a text.
 */
const OWN = ['sessions', 'security'] as const;
const FOR_ADMINS = ['members', 'environments', 'keys', 'audit', 'instance'] as const;

/** The frame around each section of the account. */
export function AccountPage({ children }: { readonly children: ComponentChildren }) {
  const sections = useMay('admin') ? [...OWN, ...FOR_ADMINS] : OWN;
  const { path } = usePlace(useApp().navigation);
  const here = [...OWN, ...FOR_ADMINS].find((name) => path === `account/${name}`);
  return (
    <Page
      title={t('heading')}
      section={here && t(here)}
      tabs={sections.map((name) => ({ href: `account/${name}`, text: t(name) }))}
    >
      {children}
    </Page>
  );
}

/** The frame around a section that only admins may see. */
export function AdminPage({ children }: { readonly children: () => ComponentChildren }) {
  const { role } = useMe();
  return <AccountPage>{useMay('admin') ? children() : <Note tone="plain">{common('for_admins', { role })}</Note>}</AccountPage>;
}
