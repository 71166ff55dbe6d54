import { useState } from 'preact/hooks';
import { useApp } from '../../app/context.ts';
import { DestructiveDialog } from '../../components/destructive-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { FormButton } from '../../components/form-button.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { useForm } from '../../components/use-form.ts';
import { t } from './texts.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;
const INITIAL = { name: '', value: '' };

interface VariableProps {
  /** The path of all variables in the private interface. */
  readonly path: string;
  readonly name: string;
}

interface NewVariableProps {
  readonly path: string;
  /** The names of all variables. */
  readonly taken: readonly string[];
}

export function AddVariable(props: NewVariableProps) {
  return <FormButton label={t('add_variable')}>{(close) => <NewVariable {...props} onClose={close} />}</FormButton>;
}

function NewVariable({ path, taken, onClose }: NewVariableProps & { readonly onClose: () => void }) {
  const set = useSetVariable(path);
  const form = useForm({
    initial: INITIAL,
    check: ({ name }): { name?: string } => {
      if (!NAME.test(name.trim())) return { name: t('variable_name_wrong') };
      return taken.includes(name.trim()) ? { name: t('variable_taken') } : {};
    },
    async send({ name, value }) {
      await set(name.trim(), value);
      onClose();
    },
  });
  return (
    <Form form={form}>
      <TextField form={form} name="name" label={t('name')} help={t('variable_name_help')} isCode />
      <TextField form={form} name="value" label={t('variable_value')} rows={3} isCode />
      <DialogActions submit={t('add_variable')} isSending={form.isSending} onCancel={onClose} />
    </Form>
  );
}

export function VariableActions({ path, name }: VariableProps) {
  const { client, resources, toast } = useApp();
  const [asking, setAsking] = useState<'replace' | 'delete' | undefined>();
  const close = () => setAsking(undefined);
  const remove = async () => {
    await client.send('DELETE', `${path}/${name}`);
    resources.invalidate(path);
    toast(t('deleted', { name }));
  };
  return (
    <>
      <Menu button="⋯" label={t('actions_of', { name })} class="btn quiet">
        <MenuItem onClick={() => setAsking('replace')}>{t('replace_value')}</MenuItem>
        <MenuItem isDangerous onClick={() => setAsking('delete')}>
          {t('delete_variable')}
        </MenuItem>
      </Menu>
      {asking === 'replace' && <ReplaceDialog path={path} name={name} onClose={close} />}
      {asking === 'delete' && (
        <DestructiveDialog
          title={t('delete_heading', { name })}
          consequence={t('delete_variable_consequence')}
          verb={t('delete_variable')}
          name={name}
          act={remove}
          onClose={close}
        />
      )}
    </>
  );
}

function ReplaceDialog({ path, name, onClose }: VariableProps & { readonly onClose: () => void }) {
  const set = useSetVariable(path);
  const form = useForm({
    initial: { value: '' },
    async send({ value }) {
      await set(name, value);
      onClose();
    },
  });
  return (
    <Dialog title={t('replace_heading', { name })} onClose={onClose}>
      <Form form={form}>
        <TextField form={form} name="value" label={t('variable_value')} rows={3} isCode />
        <DialogActions submit={t('replace_value')} isSending={form.isSending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function useSetVariable(path: string) {
  const { client, resources, toast } = useApp();
  return async (name: string, value: string): Promise<void> => {
    await client.send('PUT', `${path}/${name}`, { value });
    resources.invalidate(path);
    toast(t('variable_saved', { name }));
  };
}
