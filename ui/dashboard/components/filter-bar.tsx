import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../app/texts/en.ts';
import { useFilters } from '../app/use-place.ts';
import { Icon } from './icon.tsx';

const TYPING_MS = 250;

/** The filters of a list. They are kept in the URL, so they can be shared and are restored by the back button. */
export function FilterBar({ children }: { readonly children: ComponentChildren }) {
  return <search class="bar">{children}</search>;
}

interface SearchProps {
  /** The name of the parameter in the URL. */
  readonly name: string;
  /** A text that says what can be searched for: "Name, e-mail or connection ID". */
  readonly placeholder: string;
  /**
   * Turns parts of the typed text into separate filters, and returns the rest. On Enter, a blank is appended to the text, which
   * ends its last word.
   */
  readonly take?: (text: string) => string;
}

/** The text search of a page; the key "/" focuses it from anywhere. */
export function SearchField({ name, placeholder, take = (text) => text }: SearchProps) {
  const { query, set } = useFilters();
  const inAddress = query.get(name) ?? '';
  const [typed, setTyped] = useState(inAddress);
  const input = useRef<HTMLInputElement>(null);
  const written = useRef(inAddress);
  // Take over only values that were put into the URL elsewhere, since the user may still be typing.
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
  /** The value in the URL. */
  readonly value: string;
  readonly label: string;
}

interface SelectProps {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  /** The text of the choice that sets no filter. Default: "Any". */
  readonly none?: string;
  /** Returns the changes of the URL for a choice. Default: the value is that of the parameter. */
  readonly changesFor?: (value: string) => Readonly<Record<string, string | null>>;
  /** True for a choice that the heads of a table have on wide screens. */
  readonly isPhone?: boolean;
}

/** A filter by one of a few values: a chip, which has the accent colour while a value is chosen. */
export function SelectFilter({
  name,
  label,
  choices,
  none = t('any'),
  changesFor = (value) => ({ [name]: value }),
  isPhone = false,
}: SelectProps) {
  const { query, set } = useFilters();
  const value = query.get(name) ?? '';
  // A value that is not among the choices can come from an edited URL; it is shown, too.
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <label class={['chip', value !== '' && 'on', isPhone && 'phone'].filter(Boolean).join(' ')}>
      <span class="clip">{value === '' ? label : t('filter_value', { label, value: chosen?.label ?? value })}</span>
      <select aria-label={label} value={value} onChange={(event) => set(changesFor(event.currentTarget.value))}>
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
  /** The text of the chip: "Connection: Kelvin". */
  readonly label: string;
  readonly onRemove: () => void;
}

/** A chip of a filter that is set; a click removes it. */
export function FilterChip({ label, onRemove }: ChipProps) {
  return (
    <button type="button" class="chip on" title={label} aria-label={t('remove', { name: label })} onClick={onRemove}>
      <span class="clip">{label}</span>
      <Icon name="close" />
    </button>
  );
}
