import { useEffect, useRef } from 'preact/hooks';
import { useApp } from '../app/context.ts';
import { usePlace } from '../app/use-place.ts';

export interface Tab {
  readonly href: string;
  readonly text: string;
  /** True for the selected tab. Default: the tab whose path is the current one. */
  readonly isCurrent?: boolean;
}

/** The tabs of a page, each with its own URL. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const { navigation } = useApp();
  const { path } = usePlace(navigation);
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const show = () => bar.current && showCurrent(bar.current);
    show();
    addEventListener('resize', show);
    return () => removeEventListener('resize', show);
  }, [path]);
  return (
    <nav ref={bar} class="tabs" aria-label={label}>
      {tabs.map(({ href, text, isCurrent = href === path }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** Scrolls the bar to the selected tab: on a phone the bar is wider than the page. */
function showCurrent(bar: HTMLElement): void {
  const current = bar.querySelector<HTMLElement>('[aria-current]');
  if (current) bar.scrollLeft = current.offsetLeft + current.offsetWidth / 2 - bar.offsetLeft - bar.clientWidth / 2;
}
