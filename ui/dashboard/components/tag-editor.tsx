import { useId, useRef, useState } from 'preact/hooks';
import { faultInTag, type TagFault, type Tags, withoutTag, withTag } from '../core/tags.ts';
import { t } from '../texts/en.ts';
import { Icon } from './icon.tsx';

interface TagEditorProps {
  readonly tags: Tags;
  readonly onChange: (tags: Tags) => void;
}

/** Tags with a way to take each away, and a line that adds one. Saving them is up to the page. */
export function TagEditor({ tags, onChange }: TagEditorProps) {
  const id = useId();
  const keyInput = useRef<HTMLInputElement>(null);
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const [fault, setFault] = useState<TagFault | undefined>();
  const add = () => {
    const found = faultInTag(tags, key.trim(), value.trim());
    setFault(found);
    keyInput.current?.focus();
    if (found !== undefined) return;
    onChange(withTag(tags, key.trim(), value.trim()));
    setKey('');
    setValue('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // It adds the tag; the form around it is sent by its button.
    event.preventDefault();
    add();
  };
  const inputOf = (label: string, isWrong: boolean) =>
    ({
      class: 'input mono',
      autocomplete: 'off',
      spellcheck: false,
      placeholder: label,
      'aria-label': label,
      'aria-invalid': isWrong,
      'aria-describedby': fault && `${id}-fault`,
      onKeyDown,
    }) as const;
  return (
    <div class="stack tight">
      <TagList tags={tags} onChange={onChange} />
      <div class="tag-line">
        <input
          {...inputOf(t('tag_key'), fault === 'tag_key_invalid' || fault === 'tag_double')}
          ref={keyInput}
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
        <input
          {...inputOf(t('tag_value'), fault === 'tag_value_invalid' || fault === 'tag_email_invalid')}
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <button type="button" class="btn" onClick={add}>
          {t('add_tag')}
        </button>
      </div>
      {fault && (
        <p class="err" id={`${id}-fault`} role="alert">
          <Icon name="warn" />
          <span>{t(fault)}</span>
        </p>
      )}
    </div>
  );
}

function TagList({ tags, onChange }: TagEditorProps) {
  return (
    <ul class="tags">
      {Object.entries(tags).map(([name, text]) => (
        <li class="tag" key={name}>
          {name}: {text}
          <button
            type="button"
            class="btn quiet tiny"
            aria-label={t('remove', { name })}
            onClick={() => onChange(withoutTag(tags, name))}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
