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
    if (found === undefined) {
      onChange(withTag(tags, key.trim(), value.trim()));
      setKey('');
      setValue('');
    }
    keyInput.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // It adds the tag; the form around it is sent by its button.
    event.preventDefault();
    add();
  };
  const attributes = { autocomplete: 'off', spellcheck: false, 'aria-describedby': fault && `${id}-fault`, onKeyDown } as const;
  return (
    <div class="stack tight">
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
      <div class="tag-line">
        <input
          {...attributes}
          ref={keyInput}
          class="input mono"
          aria-label={t('tag_key')}
          aria-invalid={fault === 'tag_key_invalid' || fault === 'tag_double'}
          placeholder={t('tag_key')}
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
        <input
          {...attributes}
          class="input mono"
          aria-label={t('tag_value')}
          aria-invalid={fault === 'tag_value_invalid' || fault === 'tag_email_invalid'}
          placeholder={t('tag_value')}
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
