import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Many } from '../app/replies.ts';
import { t } from '../app/texts/en.ts';
import { useResource } from '../app/use-resource.ts';
import { PopoverButton } from './popover-button.tsx';

interface Choice {
  readonly key: string;
  readonly text: ComponentChildren;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

interface PickerProps<Row> {
  /** The content of the button. */
  readonly button: ComponentChildren;
  readonly class: string;
  /** The label of the opened list, which is also part of the button's content: "Integration". */
  readonly label: string;
  /** Returns the path of the service's list for the typed text. */
  readonly listAt: (search: string) => string;
  readonly choiceOf: (row: Row) => Choice;
  /** Removes the choice; undefined when a choice is required. */
  readonly onClear?: (() => void) | undefined;
}

/** A button that opens a list from the service, too long for a menu. Typing narrows the list; arrow keys move in it. */
export function Picker<Row>({ button, class: name, label, listAt, choiceOf, onClear }: PickerProps<Row>) {
  return (
    <PopoverButton
      button={button}
      class={name}
      label={label}
      onKeyDown={moveIn}
      onClick={({ target }, list) => target instanceof HTMLInputElement || list.hidePopover()}
    >
      {() => <Found {...{ label, listAt, choiceOf, onClear }} />}
    </PopoverButton>
  );
}

function Found<Row>({ label, listAt, choiceOf, onClear }: Omit<PickerProps<Row>, 'button' | 'class'>) {
  const [typed, setTyped] = useState('');
  const { value, error } = useResource<Many<Row>>(listAt(typed.trim()));
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  const found = last.current;
  return (
    <>
      <input
        class="input"
        type="search"
        autocomplete="off"
        aria-label={t('find_in', { label })}
        placeholder={t('search')}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      {onClear && typed === '' && (
        <button type="button" onClick={onClear}>
          {t('any')}
        </button>
      )}
      {found?.data.map(choiceOf).map(({ key, text, isChosen, choose }) => (
        <button key={key} type="button" aria-pressed={isChosen} onClick={choose}>
          {text}
        </button>
      ))}
      {error && <p class="small warned">{t('error_heading')}</p>}
      {found?.data.length === 0 && <p class="small soft">{t('no_match')}</p>}
      {found !== undefined && found.next_cursor !== null && <p class="small soft">{t('type_to_narrow')}</p>}
    </>
  );
}

function moveIn(event: KeyboardEvent, list: HTMLElement): void {
  const stops = [...list.querySelectorAll<HTMLElement>('input, button')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Enter' && at === 0) {
    event.preventDefault();
    list.querySelector<HTMLElement>('button[aria-pressed]')?.click();
  }
  if (step === undefined) return;
  event.preventDefault();
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
}
