import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Logo } from '../../../kit/logo.tsx';
import { useEnvironment } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { Icon } from '../../components/icon.tsx';
import { authWord, categoryWord } from './authentication.ts';
import { ProofMark } from './proof-badge.tsx';
import type { Known, Listed } from './sections.ts';
import { t } from './texts.ts';

interface SectionProps extends Omit<TilesProps, 'children'> {
  readonly title: string;
  readonly hint?: string;
  readonly children?: ComponentChildren;
}

/** A section of the catalogue. Those with a single tile stand side by side. */
export function Section({ title, hint, children, ...tiles }: SectionProps) {
  const id = useId();
  const isSingle = tiles.providers.length === 1 && children === undefined && hint === undefined;
  return (
    <section class={isSingle ? 'sect single' : 'sect'} aria-labelledby={id}>
      <div class="line-up">
        <h2 id={id}>{title}</h2>
        {hint && <span class="small soft">{hint}</span>}
      </div>
      <Tiles {...tiles}>{children}</Tiles>
    </section>
  );
}

interface TilesProps {
  readonly providers: readonly Listed[];
  readonly setUp: Known['set_up'];
  /** The number of tiles before the rest is asked for. */
  readonly limit: number;
  /** Further tiles, after those of the providers. */
  readonly children?: ComponentChildren;
}

export function Tiles({ providers, setUp, limit, children }: TilesProps) {
  const [isOpen, setOpen] = useState(false);
  const tiles = useRef<HTMLUListElement>(null);
  // A tile that says "Show 1 more" would take the place of the one that it hides.
  const isWhole = isOpen || providers.length <= limit + 1;
  const shown = isWhole ? providers : providers.slice(0, limit);
  const hidden = providers.slice(shown.length);
  const showMore = () => {
    setOpen(true);
    requestAnimationFrame(() => tiles.current?.children[limit]?.querySelector('a')?.focus());
  };
  return (
    <ul class="tiles" ref={tiles}>
      {shown.map((provider) => (
        <ProviderTile key={provider.name} provider={provider} setUp={setUp.find(({ name }) => name === provider.name)} />
      ))}
      {hidden.length > 0 && (
        <li>
          <button type="button" class="tile quiet" onClick={showMore}>
            <span class="logo quiet">
              <Icon name="down" />
            </span>
            <span class="two">
              <span>{t('show_more', { count: hidden.length })}</span>
              <span class="small soft clip">
                {hidden
                  .slice(0, 3)
                  .map(({ display_name: name }) => name)
                  .join(', ')}
              </span>
            </span>
          </button>
        </li>
      )}
      {children}
    </ul>
  );
}

interface ProviderTileProps {
  readonly provider: Listed;
  readonly setUp: Known['set_up'][number] | undefined;
}

function ProviderTile({ provider, setUp }: ProviderTileProps) {
  const { name: environment } = useEnvironment();
  const { name, display_name: title, auth_mode: mode, categories = [] } = provider;
  const integrations = pathOf(['e', environment, 'integrations']);
  return (
    <li class="tile">
      <Logo name={title} url={provider.logo_url} size="" />
      <span class="two">
        <a class="whole" href={pathOf(['e', environment, 'integrations', 'new', name])} title={title}>
          {title}
        </a>
        <span class="small soft clip">{[authWord(mode), ...categories.map(categoryWord)].join(' · ')}</span>
        <span class="marks">
          {provider.sandbox !== true && <ProofMark proof={provider.proof} />}
          {setUp && (
            <a
              href={
                setUp.integrations === 1
                  ? `${integrations}/${encodeURIComponent(setUp.unique_key)}/settings`
                  : `${integrations}?search=${name}`
              }
            >
              {t('set_up', { count: setUp.integrations })}
              <span class="sr"> {title}</span>
            </a>
          )}
        </span>
      </span>
    </li>
  );
}

/** Leads to the guide for a provider that is not in the catalogue. */
export function OwnTile() {
  return (
    <li class="tile quiet">
      <span class="logo quiet">
        <Icon name="plus" />
      </span>
      <span class="two">
        <a class="whole" href="docs/provider-definitions" target="_blank" rel="noreferrer">
          {t('own_add')}
          <span class="sr"> {t('opens_new_tab')}</span>
        </a>
        <span class="small soft">{t('own_add_hint')}</span>
      </span>
    </li>
  );
}
