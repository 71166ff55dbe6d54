import { t as shared } from '../../app/texts/en.ts';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { keyIn } from '../../components/tags.ts';
import { useForm } from '../../components/use-form.ts';
import { tagFaults } from './tag-faults.ts';
import { t } from './texts.ts';

/** The change of one tag. */
export interface TagChange {
  readonly key: string;
  /** The new value; undefined removes the tag. */
  readonly value: string | undefined;
}

interface TagsDialogProps {
  /** Number of connections that are changed. */
  readonly count: number;
  readonly onApply: (wanted: TagChange) => void;
  readonly onClose: () => void;
}

const INITIAL = { way: 'set', key: '', value: '' };

/** Asks for a tag to set or to remove. */
export function TagsDialog({ count, onApply, onClose }: TagsDialogProps) {
  const form = useForm({
    initial: INITIAL,
    check({ way, ...tag }) {
      const { value, ...found } = tagFaults(tag);
      return way === 'remove' || value === undefined ? found : { ...found, value };
    },
    async send({ way, key, value }) {
      onApply({ key: keyIn({ tags: {}, key, value }), value: way === 'set' ? value.trim() : undefined });
      onClose();
    },
  });
  const isRemoval = form.values.way === 'remove';
  const choice = (way: string, text: string) => (
    <label class="check">
      <input type="radio" name="way" checked={form.values.way === way} onChange={() => form.set('way', way)} />
      <span>{text}</span>
    </label>
  );
  return (
    <Dialog title={t.count('tags_heading', count)} onClose={onClose}>
      <Form form={form} isShort>
        <fieldset class="stack tight">
          <legend class="sr">{t('edit_tags')}</legend>
          {choice('set', t('tags_set'))}
          {choice('remove', t('tags_remove'))}
        </fieldset>
        <TextField form={form} name="key" label={shared('tag_key')} placeholder="plan" isCode />
        {!isRemoval && <TextField form={form} name="value" label={shared('tag_value')} placeholder="pro" isCode />}
        <p class="small soft">{t('tags_others')}</p>
        <div class="actions end">
          <button type="button" class="btn" onClick={onClose}>
            {shared('cancel')}
          </button>
          <button type="submit" class="btn primary">
            {t(isRemoval ? 'remove_tag' : 'set_tag')}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
