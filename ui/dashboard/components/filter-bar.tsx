import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../app/texts/en.ts';
import { useFilters } from '../app/use-place.ts';
import { Icon } from './icon.tsx';

const TYPING_MS = 250;

/** What narrows a list. All of it is in the address, so it can be shared and comes back with the back button. */
export function FilterBar({ children }: { readonly children: ComponentChildren }) {
  return <search class="bar">{children}</search>;
}

interface SearchProps {
  /** Of the parameter in the address. */
  readonly name: string;
  /** What can be found: "Name, e-mail or connection ID". */
  readonly placeholder: string;
  /** Makes filters of their own of some of what is typed, and returns what stays. Enter counts as a blank at its end. */
  readonly take?: (text: string) => string;
}

/** The text search of a page; "/" leads to it from anywhere. */
export function SearchField({ name, placeholder, take = (text) => text }: SearchProps) {
  const { query, set } = useFilters();
  const inAddress = query.get(name) ?? '';
  const [typed, setTyped] = useState(inAddress);
  const input = useRef<HTMLInputElement>(null);
  const written = useRef(inAddress);
  // Only what others have put into the address: somebody may be typing on.
  useEffect(() => {
    if (inAddress !== written.current) setTyped(inAddress);
    written.current = inAddress;
  }, [inAddress]);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === inAddress) return;
    const timer = setTimeout(() => {
      written.current = wanted;
      set({ [name]: wanted });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useLayoutEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTypedInto(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  return (
    <div class="find">
      <Icon name="find" />
      <input
        ref={input}
        class="input"
        type="search"
        aria-label={t('search')}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        value={typed}
        onInput={(event) => setTyped(take(event.currentTarget.value))}
        onKeyDown={(event) => event.key === 'Enter' && setTyped(take(`${typed} `).trimEnd())}
      />
      {typed === '' && (
        <span class="kbd" aria-hidden="true">
          /
        </span>
      )}
    </div>
  );
}

function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/.test(target.localName));
}

export interface Choice {
  /** In the address. */
  readonly value: string;
  readonly label: string;
}

interface SelectProps {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  /** What nothing chosen means. Default: any. */
  readonly none?: string;
}

/** One of a few values; a chip in the accent's colour while one is chosen. */
export function SelectFilter({ name, label, choices, none = t('any') }: SelectProps) {
  const { query, set } = useFilters();
  const value = query.get(name) ?? '';
  // What somebody has typed into the address is shown, too.
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <label class={value === '' ? 'chip' : 'chip on'}>
      <span class="clip">{value === '' ? label : t('filter_value', { label, value: chosen?.label ?? value })}</span>
      <select aria-label={label} value={value} onChange={(event) => set({ [name]: event.currentTarget.value })}>
        <option value="">{none}</option>
        {value !== '' && chosen === undefined && <option value={value}>{value}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </label>
  );
}

interface ChipProps {
  /** As it is read: "Connection: Kelvin". */
  readonly label: string;
  readonly onRemove: () => void;
}

/** A filter that is set, and goes away with a click. */
export function FilterChip({ label, onRemove }: ChipProps) {
  return (
    <button type="button" class="chip on" title={label} aria-label={t('remove', { name: label })} onClick={onRemove}>
      <span class="clip">{label}</span>
      <Icon name="close" />
    </button>
  );
}
