import { useOpenSearch } from '../app/context.ts';
import { t } from '../app/texts/en.ts';
import { Icon } from './icon.tsx';

/** Apple's keyboards have ⌘ where others have Ctrl. */
const IS_APPLE = /^(Mac|iPhone|iPad)/.test(navigator.platform);

/** The button that opens the search for everything. */
export function SearchButton() {
  const open = useOpenSearch();
  if (open === undefined) return null;
  return (
    <button type="button" class="seek" aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K" onClick={open}>
      <Icon name="find" />
      <span>{t('search_everything')}</span>
      <span class="kbd" aria-hidden="true">
        {IS_APPLE ? '⌘ K' : 'Ctrl K'}
      </span>
    </button>
  );
}
