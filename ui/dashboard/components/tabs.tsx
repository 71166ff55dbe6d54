import { useApp } from '../context.ts';
import { usePlace } from '../hooks/use-place.ts';

export interface Tab {
  readonly href: string;
  readonly text: string;
  /** Default: by its path. */
  readonly isCurrent?: boolean;
}

/** Parts of a page, each with an address of its own. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const { navigation } = useApp();
  const { path } = usePlace(navigation);
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, text, isCurrent = href === path }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}
