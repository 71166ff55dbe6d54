import { useEffect, useState } from 'preact/hooks';
import { useApp } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { Copyable } from '../copy-button.tsx';
import { Dialog } from '../dialog.tsx';
import { DialogActions } from '../dialog-actions.tsx';
import { Failure } from '../failure.tsx';
import { TextField } from '../field.tsx';
import { Form } from '../form.tsx';
import { Skeleton } from '../skeleton.tsx';
import { useAction } from '../use-action.ts';
import { useForm } from '../use-form.ts';
import { type Added, FACTORS } from './added.ts';
import { QrCode } from './qr-code.tsx';
import { t } from './texts.ts';

type Begun = Reply<'beginTotp'>['data'];

interface AddAppProps {
  readonly onAdded: (added: Added) => void;
  readonly onClose: () => void;
}

/** A dialog that enrols an authenticator app. It shows a secret; the first code from the app proves that the app has it. */
export function AddApp({ onAdded, onClose }: AddAppProps) {
  const { client } = useApp();
  const [begun, setBegun] = useState<Begun | undefined>();
  const begin = useAction(async () => {
    setBegun((await client.send<Reply<'beginTotp'>>('POST', `${FACTORS}/totp`)).data);
  });
  useEffect(() => void begin.run(), []);
  return (
    <Dialog title={t('add_app_heading')} onClose={onClose}>
      {begin.error && <Failure error={begin.error} onRetry={() => void begin.run()} />}
      {begun === undefined && !begin.error && <Skeleton rows={4} />}
      {begun && <Prove begun={begun} onAdded={onAdded} onClose={onClose} />}
    </Dialog>
  );
}

function Prove({ begun: { secret, qr }, onAdded, onClose }: AddAppProps & { readonly begun: Begun }) {
  const { client } = useApp();
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => (/^\d{6}$/.test(code.replace(/\s/g, '')) ? {} : { code: t('code_missing') }),
    async send({ code }) {
      const { data } = await client.send<Reply<'enrolTotp'>>('POST', `${FACTORS}/totp/confirm`, { code: code.trim() });
      onAdded({ codes: data.recovery_codes, text: t('app_added') });
    },
    blamed: ({ code }): { code?: string } => (code === 'invalid_login' ? { code: t('code_wrong') } : {}),
  });
  return (
    <Form form={form}>
      <p>{t('add_app_lead')}</p>
      <QrCode rows={qr} label={t('qr')} />
      <p class="soft small">{t('secret_lead')}</p>
      <Copyable text={secret} what={t('the_secret')} />
      <TextField
        form={form}
        name="code"
        label={t('code')}
        help={t('code_help')}
        type="numeric"
        autocomplete="one-time-code"
        isCode
      />
      <DialogActions submit={t('add')} isSending={form.isSending} onCancel={onClose} />
    </Form>
  );
}
