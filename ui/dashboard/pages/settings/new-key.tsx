import { SelectField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { useApp } from '../../context.ts';
import { useForm } from '../../hooks/use-form.ts';
import type { Reply } from '../../wire.ts';
import { type NewKey, PRESETS, type Preset } from './scope-words.ts';
import { t } from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;
const INITIAL = { name: '', preset: 'backend', custom: '', days: '' };
const PRESET_NAMES = [...(Object.keys(PRESETS) as Preset[]), 'custom'] as const;

interface CreateKeyProps {
  readonly path: string;
  readonly onMade: (made: NewKey) => void;
}

/** A key with a name, scopes and perhaps an end. */
export function CreateKey({ path, onMade }: CreateKeyProps) {
  const { client, resources } = useApp();
  const form = useForm({
    initial: INITIAL,
    check: ({ name, preset, custom }): { name?: string; custom?: string } => ({
      ...(name.trim() === '' && { name: t('name_missing') }),
      ...(preset === 'custom' && custom.trim() === '' && { custom: t('scopes_missing') }),
    }),
    async send({ name, preset, custom, days }) {
      const scopes = preset === 'custom' ? custom.split(/[\s,]+/).filter(Boolean) : PRESETS[preset as Preset];
      const expires_at = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
      const { data } = await client.send<Reply<'createKey'>>('POST', path, { name, scopes, expires_at });
      resources.invalidate(path);
      form.reset(INITIAL);
      onMade(data);
    },
  });
  return (
    <div class="narrow">
      <Form form={form} texts={{ conflict: t('name_taken') }}>
        <TextField form={form} name="name" label={t('name')} placeholder="backend" />
        <SelectField
          form={form}
          name="preset"
          label={t('scopes')}
          choices={PRESET_NAMES.map((value) => ({ value, label: t(`preset_${value}`) }))}
        />
        {form.values.preset === 'custom' && (
          <TextField form={form} name="custom" label={t('custom_scopes')} isCode rows={3} help={t('custom_scopes_help')} />
        )}
        <SelectField
          form={form}
          name="days"
          label={t('expiry')}
          choices={['', '30', '90', '365'].map((value) => ({
            value,
            label: value === '' ? t('never') : t('in_days', { value }),
          }))}
        />
        <div class="actions">
          <button type="submit" class="btn primary" disabled={form.isSending}>
            {t('create_key')}
          </button>
        </div>
      </Form>
    </div>
  );
}
