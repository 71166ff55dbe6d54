import { useId, useRef, useState } from 'preact/hooks';
import { t } from '../app/texts/en.ts';
import { Icon } from './icon.tsx';
import { draftOf, faultsIn, isBlank, keyIn, type TagDraft, tagsIn, withoutTag, withTagTyped } from './tags.ts';

interface TagEditorProps {
  readonly draft: TagDraft;
  readonly onChange: (draft: TagDraft) => void;
}

const NONE = { key: false, value: false };

/** Tags that can be changed and removed, and a line for adding one more. The page itself must save `tagsIn(draft)`. */
export function TagEditor({ draft, onChange }: TagEditorProps) {
  const id = useId();
  const inputs = { key: useRef<HTMLInputElement>(null), value: useRef<HTMLInputElement>(null) };
  // The fields that the user has left: no error is shown while a field is filled in for the first time.
  const [left, setLeft] = useState(NONE);
  const faults = faultsIn(draft);
  const shown = { key: left.key || left.value ? faults.key : undefined, value: left.value ? faults.value : undefined };
  const fault = shown.key ?? shown.value;
  const change = (next: TagDraft) => {
    if (isBlank(next)) setLeft(NONE);
    onChange(next);
  };
  const add = () => {
    const tags = tagsIn(draft);
    inputs[tags === undefined && faults.key === undefined ? 'value' : 'key'].current?.focus();
    if (tags === undefined) setLeft({ key: true, value: true });
    else change(draftOf(tags));
  };
  const edit = (name: string) => {
    setLeft(NONE);
    onChange(withTagTyped(draft, name));
    inputs.value.current?.focus();
  };
  // Enter adds the tag; only its button submits the surrounding form.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  const inputOf = (field: 'key' | 'value', label: string) =>
    ({
      ref: inputs[field],
      class: 'input mono',
      autocomplete: 'off',
      spellcheck: false,
      placeholder: label,
      'aria-label': label,
      'aria-invalid': shown[field] !== undefined,
      'aria-describedby': `${id}-hint`,
      value: draft[field],
      onInput: (event: { currentTarget: { value: string } }) => change({ ...draft, [field]: event.currentTarget.value }),
      // Going back to the key does not count as leaving the field.
      onBlur: ({ relatedTarget: next }: FocusEvent) =>
        !isBlank(draft) && next !== inputs.key.current && setLeft((before) => ({ ...before, [field]: true })),
      onKeyDown,
    }) as const;
  return (
    <div class="stack tight">
      <TagList draft={draft} onEdit={edit} onRemove={(name) => onChange(withoutTag(draft, name))} />
      <div class="tag-line">
        <input {...inputOf('key', t('tag_key'))} />
        <input {...inputOf('value', t('tag_value'))} />
        <button type="button" class="btn" onClick={add}>
          {t('add_tag')}
        </button>
      </div>
      <div id={`${id}-hint`}>{fault ? <Fault text={t(fault)} /> : faults.key === undefined && <Hint draft={draft} />}</div>
    </div>
  );
}

function Fault({ text }: { readonly text: string }) {
  return (
    <p class="err" role="alert">
      <Icon name="warn" />
      <span>{text}</span>
    </p>
  );
}

/** Says what happens to the typed key: that it replaces a tag, or how it is stored when that differs. */
function Hint({ draft }: { readonly draft: TagDraft }) {
  const name = keyIn(draft);
  if (Object.hasOwn(draft.tags, name)) return <p class="small soft">{t('tag_replaces', { name })}</p>;
  if (name === draft.key.trim()) return null;
  return (
    <p class="small soft">
      → <code>{name}</code>
    </p>
  );
}

interface TagListProps {
  readonly draft: TagDraft;
  readonly onEdit: (name: string) => void;
  readonly onRemove: (name: string) => void;
}

function TagList({ draft, onEdit, onRemove }: TagListProps) {
  const tags = Object.entries(draft.tags);
  if (tags.length === 0) return null;
  return (
    <ul class="tags">
      {tags.map(([name, text]) => (
        <li class="tag" key={name}>
          <button type="button" title={t('edit_tag')} onClick={() => onEdit(name)}>
            {name}: {text}
          </button>
          <button type="button" class="btn quiet tiny" aria-label={t('remove', { name })} onClick={() => onRemove(name)}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
