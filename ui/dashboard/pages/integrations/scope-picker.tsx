import { useState } from 'preact/hooks';
import { t as shared } from '../../app/texts/en.ts';
import type { ControlAttributes } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import type { Provider } from './app-form.ts';
import { type Scope, scopesOf } from './known-scopes.ts';
import { t } from './texts.ts';

interface ScopePickerProps extends ControlAttributes {
  /** The chosen scopes, separated by commas. */
  readonly value: string;
  readonly provider: Provider;
  readonly onChange: (value: string) => void;
}

const SEPARATOR = /[\s,]+/;
const SHOWN = 8;

/** A control for scopes: chosen from the known ones of the provider, or typed or pasted, separated by commas or blanks. */
export function ScopePicker({ value, provider, onChange, ...attributes }: ScopePickerProps) {
  const [typed, setTyped] = useState('');
  const chosen = value === '' ? [] : value.split(',');
  const choose = (names: readonly string[]) => onChange([...new Set(names)].join(','));
  const add = (text: string) => {
    const names = text.split(SEPARATOR).filter((name) => name !== '');
    setTyped('');
    if (names.length > 0) choose([...chosen, ...names]);
  };
  const input = (text: string) => (SEPARATOR.test(text) ? add(text) : setTyped(text));
  const known = scopesOf(provider, 'available_scopes');
  const defaults = scopesOf(provider, 'default_scopes');
  const found = (known.length > 0 ? known : defaults).filter(({ name }) => name.includes(typed));
  return (
    <div class="scopes">
      {chosen.length > 0 && (
        <ul class="chosen">
          {chosen.map((name) => (
            <li key={name} class="tag">
              {name}
              <button
                type="button"
                class="btn quiet tiny"
                aria-label={shared('remove', { name })}
                onClick={() => choose(chosen.filter((one) => one !== name))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        {...attributes}
        class="input mono"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        placeholder={chosen.length === 0 ? defaults.map(({ name }) => name).join(' ') || t('scopes_placeholder') : ''}
        value={typed}
        onInput={(event) => input(event.currentTarget.value)}
        onBlur={() => add(typed)}
        onKeyDown={(event) => {
          if (event.key === 'Backspace' && typed === '') choose(chosen.slice(0, -1));
          if (event.key !== 'Enter' || typed === '') return;
          event.preventDefault();
          add(typed);
        }}
      />
      <Suggested found={found} isNarrowed={typed !== ''} chosen={chosen} onChoose={choose} />
    </div>
  );
}

interface SuggestedProps {
  readonly found: readonly Scope[];
  /** True when the suggestions are narrowed by the typed text. */
  readonly isNarrowed: boolean;
  readonly chosen: readonly string[];
  readonly onChoose: (names: readonly string[]) => void;
}

function Suggested({ found, isNarrowed, chosen, onChoose }: SuggestedProps) {
  const [isWhole, setWhole] = useState(false);
  const suggested = isWhole || isNarrowed ? found : found.slice(0, SHOWN);
  if (suggested.length === 0) return null;
  return (
    <fieldset class="suggested">
      <legend class="sr">{t('scopes_known')}</legend>
      {suggested.map(({ name, description, sensitive }) => (
        <label class="check" key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={(event) => onChoose(event.currentTarget.checked ? [...chosen, name] : chosen.filter((one) => one !== name))}
          />
          <span>
            <code>{name}</code>
            {sensitive && (
              <span class="small warned">
                {' '}
                <Icon name="warn" />
                {t('scope_reviewed')}
              </span>
            )}
            {description && <span class="help">{description}</span>}
          </span>
        </label>
      ))}
      {suggested.length < found.length && (
        <button type="button" class="btn link" onClick={() => setWhole(true)}>
          {t('scopes_all', { count: found.length })}
        </button>
      )}
    </fieldset>
  );
}
