import { type ComponentChildren, Fragment } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useApp, useParams } from '../app/context.ts';
import { guideOf } from '../app/guides.ts';
import { t } from '../app/texts/en.ts';
import { usePlace } from '../app/use-place.ts';
import { Icon } from './icon.tsx';
import { SearchButton } from './search-button.tsx';
import { StaleNote } from './stale-note.tsx';
import { type Tab, Tabs } from './tabs.tsx';

export interface Crumb {
  readonly href: string;
  readonly text: string;
}

interface PageProps {
  readonly title: string;
  /** The name of the selected part, if the parts of the page have their own URLs. It becomes the title of the browser tab. */
  readonly section?: string | undefined;
  /** The pages above this one. */
  readonly crumbs?: readonly Crumb[];
  /** The parts of the page, each with its own URL. */
  readonly tabs?: readonly Tab[];
  /** The content below the title. */
  readonly lead?: ComponentChildren;
  /** The content before the title: a logo or a monogram. */
  readonly face?: ComponentChildren;
  /** The content after the title: a state. */
  readonly badge?: ComponentChildren;
  /** Buttons and links, of which at most one is primary. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/**
 * A page within the shell: its bar, its head and its content. The bar has the title of a page of the navigation, and of a page
 * below one the way back.
 */
export function Page({ title, section, crumbs = [], tabs, lead, face, badge, actions, children }: PageProps) {
  const { path } = usePlace();
  const isTop = crumbs.length === 0;
  const name = (
    <div class="line-up">
      <Heading section={section}>{title}</Heading>
      {badge}
    </div>
  );
  return (
    <>
      <div class="top">
        {isTop ? name : <Crumbs crumbs={crumbs} />}
        {tabs && <Tabs label={title} tabs={tabs} />}
        <SearchButton />
        <a class="btn quiet" href={guideOf(path)} target="_blank" rel="noreferrer">
          {t('docs')} <span class="sr">{t('new_tab')}</span>
          <Icon name="out" />
        </a>
      </div>
      <div class="page">
        {(!isTop || lead || actions) && (
          <header class="head">
            {face}
            <div class="grow">
              {!isTop && name}
              {lead && <div class="soft">{lead}</div>}
            </div>
            {actions && <div class="actions">{actions}</div>}
          </header>
        )}
        <StaleNote />
        {children}
      </div>
    </>
  );
}

/** The pages above a page: a link to each. */
function Crumbs({ crumbs }: Required<Pick<PageProps, 'crumbs'>>) {
  return (
    <nav class="crumbs" aria-label={t('crumbs')}>
      <Icon name="back" />
      {crumbs.map(({ href, text }, index) => (
        <Fragment key={href}>
          {index > 0 && <span aria-hidden="true">›</span>}
          <a class="clip" href={href}>
            {text}
          </a>
        </Fragment>
      ))}
    </nav>
  );
}

/**
 * The page's heading, which also names the browser tab. After a navigation it gets the focus, so that screen readers announce it.
 */
export function Heading({ section, children }: { readonly section?: string | undefined; readonly children: string }) {
  const { navigation } = useApp();
  const { env } = useParams();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = [section ?? children, env, t('brand')].filter(Boolean).join(' · ');
  }, [section, children, env]);
  useLayoutEffect(() => {
    const isStep = navigation.arrival === 'forth' || navigation.arrival === 'back';
    // A page that loads late must not take the focus from an element that the user has begun to use.
    const isFree = document.activeElement === null || document.activeElement === document.body || !isWithinMain();
    if (isStep && isFree) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} dir="auto">
      {children}
    </h1>
  );
}

function isWithinMain(): boolean {
  return document.activeElement?.closest('main') != null;
}
