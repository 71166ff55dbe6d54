import { useMemo, useRef, useState } from 'preact/hooks';
import { Logo } from '../../kit/logo.tsx';
import { categoryLabel } from '../category-label.ts';
import { useWindow } from '../context.ts';
import { type Entry, entriesOf, SEARCH_FROM, search } from '../flow/search.ts';
import { Heading } from '../frame.tsx';
import { Icon } from '../icon.tsx';
import { plural } from '../texts/translate.ts';
import { Lead, LinkFacts } from '../whom.tsx';

/** The screen with the integrations that may be connected. */
export function Picker() {
  const { window, language, t } = useWindow();
  const entries = useEntries();
  const [query, setQuery] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const found = useMemo(() => search(entries, query), [entries, query]);
  const hasSearch = entries.length >= SEARCH_FROM;
  const count = new Intl.NumberFormat(language.tag).format(entries.length);
  const label = t(`search_${plural(language.tag, entries.length)}`, { count });
  const clear = () => {
    setQuery('');
    input.current?.focus();
  };
  const open = () => found[0] && void window.pick(found[0].integration.unique_key);
  return (
    <main onKeyDown={(event) => move(event, input.current, list.current)}>
      <Heading>{t('pick_heading')}</Heading>
      <Lead>{t('pick_lead')}</Lead>
      {hasSearch && (
        <div class="search">
          <Icon name="find" />
          <input
            ref={input}
            class="input"
            type="search"
            enterkeyhint="search"
            autocomplete="off"
            spellcheck={false}
            placeholder={label}
            aria-label={label}
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
            onKeyDown={(event) => query && press(event, { open, empty: () => setQuery('') })}
          />
        </div>
      )}
      {hasSearch && (
        <p class={found.length === 0 ? 'note' : 'sr'} role="status">
          {query && found.length > 0 && t(`search_found_${plural(language.tag, found.length)}`, { count: found.length })}
          {found.length === 0 && t('search_empty', { query })}
        </p>
      )}
      {found.length === 0 && (
        <button type="button" class="btn plain" onClick={clear}>
          {t('search_clear')}
        </button>
      )}
      <ul ref={list} class="pick">
        {found.map((entry) => (
          <Row key={entry.integration.unique_key} {...entry} onPick={(key) => void window.pick(key)} />
        ))}
      </ul>
      <LinkFacts />
    </main>
  );
}

function useEntries(): readonly Entry[] {
  const { window, language } = useWindow();
  const { session } = window.state;
  return useMemo(() => entriesOf(session?.integrations ?? [], (one) => categoryLabel(language, one)), [session, language]);
}

function Row({ integration, isTwin, labels, onPick }: Entry & { readonly onPick: (key: string) => void }) {
  const { display_name: name, unique_key: key, logo_url: url } = integration;
  const second = isTwin ? key : labels.find((label) => label !== name);
  return (
    <li>
      <button type="button" class="row" onClick={() => onPick(key)}>
        <Logo name={name} url={url} size="" />
        <span>
          <b dir="auto" title={name}>
            {name}
          </b>
          {second && <small class={isTwin ? '' : 'category'}>{second}</small>}
        </span>
        <Icon name="go" flips />
      </button>
    </li>
  );
}

/**
 * Handles keys in the search field: Enter opens the first match, Escape empties the field. While an input method is composing,
 * both keys are left to it.
 */
function press(event: KeyboardEvent, { open, empty }: { readonly open: () => void; readonly empty: () => void }): void {
  if (event.isComposing) return;
  if (event.key === 'Enter') open();
  if (event.key !== 'Escape') return;
  event.preventDefault();
  empty();
}

/** Handles keys on the screen: `/` and letters move the focus to the search field, arrow keys move it through the list. */
function move(event: KeyboardEvent, input: HTMLInputElement | null, list: HTMLUListElement | null): void {
  const isTyping = event.target === input;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') step(event, input, list);
  if (isTyping || input === null || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '/') event.preventDefault();
  // The letter itself is typed into the search field, which has the focus by then.
  if (event.key.length === 1 && event.key !== ' ') input.focus();
}

function step(event: KeyboardEvent, input: HTMLInputElement | null, list: HTMLUListElement | null): void {
  const rows = [...(list?.querySelectorAll('button') ?? [])];
  const at = rows.indexOf(document.activeElement as HTMLButtonElement);
  const next = event.key === 'ArrowDown' ? at + 1 : at - 1;
  event.preventDefault();
  if (next < 0) input?.focus();
  else rows[Math.min(next, rows.length - 1)]?.focus();
}
