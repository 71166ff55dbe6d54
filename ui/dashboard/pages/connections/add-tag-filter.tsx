import { t as shared } from '../../app/texts/en.ts';
import { useFilters } from '../../app/use-place.ts';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { PopoverButton } from '../../components/popover-button.tsx';
import { useForm } from '../../components/use-form.ts';
import { parameterOf } from './search-words.ts';
import { tagFaults } from './tag-faults.ts';
import { filteredTags } from './tag-filters.tsx';
import { t } from './texts.ts';

/** A form that adds a filter by tag, for users who do not know the search syntax `tag:name=value`. */
export function AddTagFilter() {
  return (
    <PopoverButton
      class="chip"
      label={t('filter_by_tag')}
      button={
        <>
          {t('tags')}
          <Icon name="down" />
        </>
      }
    >
      {(close) => <TagForm onAdded={close} />}
    </PopoverButton>
  );
}

function TagForm({ onAdded }: { readonly onAdded: () => void }) {
  const { query, set } = useFilters();
  const form = useForm({
    initial: { key: '', value: '' },
    // No connection has a tag that breaks the rules, and the service refuses to search for one.
    check: (typed) => tagFaults(typed, filteredTags(query)),
    async send({ key, value }) {
      set({ [parameterOf(key.trim())]: value.trim() });
      onAdded();
    },
  });
  return (
    <div class="dialog-body">
      <Form form={form} isShort>
        <TextField form={form} name="key" label={shared('tag_key')} placeholder="organization_id" isCode />
        <TextField form={form} name="value" label={shared('tag_value')} placeholder="acme" isCode />
        <div class="actions">
          <button type="submit" class="btn primary">
            {t('add_filter')}
          </button>
        </div>
      </Form>
    </div>
  );
}
