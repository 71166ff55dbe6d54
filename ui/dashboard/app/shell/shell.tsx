import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from '../../components/icon.tsx';
import { keepAt } from '../../components/popover.ts';
import { useApp, useMe, useParams } from '../context.ts';
import { NAVIGATION, startOf } from '../navigation.ts';
import { pageVersion } from '../page-version.ts';
import { type en, t } from '../texts/en.ts';
import { useBrowserState } from '../use-browser-state.ts';
import { usePlace } from '../use-place.ts';
import { AccountMenu } from './account-menu.tsx';
import { AttentionCount } from './attention-count.tsx';
import { DegradedBar } from './degraded-bar.tsx';
import { EnvironmentSwitch } from './environment-switch.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { Outdated } from './outdated.tsx';
import { Search } from './search.tsx';
import { StartCount } from './start-count.tsx';

const NARROW = matchMedia('(max-width: 900px)');

/** The frame around every page of a signed-in member. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { environments, version } = useMe();
  // The version that sent this page; the service may be updated while the tab stays open.
  const [built] = useState(() => pageVersion());
  const { env } = useParams();
  const last = useRef(environments[0]?.name);
  if (env !== undefined) last.current = env;
  const current = environments.find(({ name }) => name === last.current) ?? environments[0];
  return (
    <div class="app">
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place on this page; the base element would resolve it elsewhere */}
      <a class="skip" href="#main" onClick={skip}>
        {t('skip')}
      </a>
      <Sidebar environment={current?.name} />
      <main id="main" tabIndex={-1}>
        {env !== undefined && current?.is_production && <p class="production">{t('production')}</p>}
        <OfflineBar />
        <DegradedBar />
        {built !== undefined && version !== built && <Outdated />}
        {current === undefined ? children : <Search environment={current}>{children}</Search>}
      </main>
    </div>
  );
}

/**
 * Focuses the content. The link's fragment alone cannot do so: relative to the document's base element, it would lead to another
 * page.
 */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Sidebar({ environment }: { readonly environment: string | undefined }) {
  const isNarrow = useBrowserState(NARROW, ['change'], () => NARROW.matches);
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const { path } = usePlace(useApp().navigation);
  // On a phone the menu closes when the user has chosen a page.
  useEffect(() => {
    if (isNarrow && menu.current?.matches(':popover-open')) menu.current.hidePopover();
  }, [path]);
  const onToggle = ({ newState }: { readonly newState: string }) => {
    opener.current?.setAttribute('aria-expanded', String(newState === 'open'));
    if (newState === 'open' && menu.current && opener.current) keepAt(menu.current, opener.current);
  };
  return (
    <header class="side">
      <a class="brand" href={environment === undefined ? '' : startOf(environment)}>
        <Icon name="plug" />
        {t('brand')}
      </a>
      {environment !== undefined && <EnvironmentSwitch current={environment} />}
      {isNarrow && (
        <button ref={opener} type="button" class="btn icon" aria-label={t('menu')} popovertarget={id} aria-expanded={false}>
          <Icon name="lines" />
        </button>
      )}
      <div ref={menu} id={id} class="side-menu" popover={isNarrow ? 'auto' : undefined} onToggle={onToggle}>
        {environment !== undefined && <MainNavigation environment={environment} />}
        <AccountMenu />
      </div>
    </header>
  );
}

function MainNavigation({ environment }: { readonly environment: string }) {
  const { path } = usePlace(useApp().navigation);
  return (
    <nav aria-label={t('navigation')}>
      {NAVIGATION.map(({ page, icon }) => {
        const href = `e/${encodeURIComponent(environment)}/${page}`;
        const isHere = path === href || path.startsWith(`${href}/`);
        return (
          <a key={page} href={href} aria-current={isHere ? 'page' : undefined}>
            <Icon name={icon} />
            {t(`nav_${page}` satisfies keyof typeof en)}
            {page === 'start' && <StartCount environment={environment} />}
            {page === 'connections' && <AttentionCount environment={environment} />}
          </a>
        );
      })}
    </nav>
  );
}
