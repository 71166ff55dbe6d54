import { useApp } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
import { Dialog } from '../dialog.tsx';
import { DialogActions } from '../dialog-actions.tsx';
import { TextField } from '../field.tsx';
import { Form } from '../form.tsx';
import { useForm } from '../use-form.ts';
import { type Added, FACTORS } from './added.ts';
import { type CreationOptions, makePasskey } from './passkey.ts';
import { t } from './texts.ts';

interface AddPasskeyProps {
  readonly onAdded: (added: Added) => void;
  readonly onClose: () => void;
}

/**
 * A dialog that enrols a passkey. It asks for the name first, since some browsers leave the page without focus after creating
 * one.
 */
export function AddPasskey({ onAdded, onClose }: AddPasskeyProps) {
  const { client } = useApp();
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => (name.trim() === '' ? { name: t('passkey_name_missing') } : {}),
    async send({ name }) {
      const options = await client.send<One<CreationOptions>>('POST', `${FACTORS}/passkeys`);
      const body = { name: name.trim(), passkey: await makePasskey(options.data) };
      const { data } = await client.send<Reply<'enrolPasskey'>>('POST', `${FACTORS}/passkeys/confirm`, body);
      onAdded({ codes: data.recovery_codes, text: t('passkey_added') });
    },
  });
  const texts = { passkey_known: t('passkey_known'), passkey_not_made: t('passkey_not_made') };
  return (
    <Dialog title={t('add_passkey_heading')} onClose={onClose}>
      <Form form={form} texts={texts}>
        <p>{t('add_passkey_lead')}</p>
        <TextField form={form} name="name" label={t('passkey_name')} help={t('passkey_name_help')} />
        <DialogActions submit={t('add_passkey')} isSending={form.isSending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
