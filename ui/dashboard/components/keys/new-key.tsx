import { useApp } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { DialogActions } from '../dialog-actions.tsx';
import { SelectField, TextField } from '../field.tsx';
import { Form } from '../form.tsx';
import { useForm } from '../use-form.ts';
import { type NewKey, type Plane, presetsOf } from './plane.ts';
import { ScopeGroups } from './scope-groups.tsx';
import { t } from './texts.ts';

/** The preset that stands for scopes that are chosen one by one. */
const CUSTOM = 'custom' as const;
const DAY_MS = 24 * 60 * 60_000;

interface CreateKeyProps {
  readonly plane: Plane;
  readonly path: string;
  readonly onMade: (made: NewKey) => void;
  readonly onClose: () => void;
}

/** The form that creates a key with a name, scopes and an optional expiry. */
export function CreateKey({ plane, path, onMade, onClose }: CreateKeyProps) {
  const presets = presetsOf(plane);
  const initial = { name: '', preset: plane.proposed as string, custom: '', days: '' };
  const { client, resources } = useApp();
  const form = useForm({
    initial,
    check: ({ name, preset, custom }): { name?: string; custom?: string } => ({
      ...(name.trim() === '' && { name: t('name_missing') }),
      ...(preset === CUSTOM && custom === '' && { custom: t('scopes_missing') }),
    }),
    async send({ name, preset, custom, days }) {
      const scopes = preset === CUSTOM ? custom.split(' ') : presets.find(([one]) => one === preset)?.[1];
      const expires_at = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
      const { data } = await client.send<Reply<'createKey'>>('POST', path, { name, scopes, expires_at });
      resources.invalidate(path);
      onClose();
      onMade(data);
    },
  });
  return (
    <Form form={form} texts={{ conflict: t('name_taken') }}>
      <TextField form={form} name="name" label={t('name')} placeholder={plane.example} />
      <SelectField
        form={form}
        name="preset"
        label={t('scopes')}
        choices={[...presets.map(([value]) => value), CUSTOM].map((value) => ({ value, label: t(`preset_${value}`) }))}
      />
      {form.values.preset === CUSTOM && (
        <ScopeGroups
          plane={plane}
          scopes={form.values.custom === '' ? [] : form.values.custom.split(' ')}
          fault={form.faults.custom}
          onChange={(scopes) => form.set('custom', scopes.join(' '))}
        />
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
      <DialogActions submit={t('create_key')} isSending={form.isSending} onCancel={onClose} />
    </Form>
  );
}
