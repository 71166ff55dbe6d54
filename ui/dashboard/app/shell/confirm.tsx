import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import type { ConfirmFactorProps } from '../../components/factors/confirm-factor.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { useForm } from '../../components/use-form.ts';
import { useApp } from '../context.ts';
import { ME, type Me, type One } from '../replies.ts';
import { t } from '../texts/en.ts';
import { useResource } from '../use-resource.ts';
import { ConfirmElsewhere } from './confirm-elsewhere.tsx';

interface ConfirmProps {
  readonly onAnswer: (isConfirmed: boolean) => void;
}

/** Confirms the member's identity before an action for which access to an unlocked screen must not be enough. */
export function Confirm({ onAnswer }: ConfirmProps) {
  const me = useResource<One<Me>>(ME).value?.data;
  if (me?.factor_kinds) return <ByFactor factors={me.factor_kinds} onAnswer={onAnswer} />;
  if (me?.has_password === false) return <ConfirmElsewhere onCancel={() => onAnswer(false)} />;
  return <ConfirmPassword onAnswer={onAnswer} />;
}

/**
 * The confirmation by a second factor. It is loaded on demand, together with the pages for signing in, since they use the same
 * form.
 */
function ByFactor(props: ConfirmFactorProps) {
  const [ConfirmFactor, setLoaded] = useState<ComponentType<ConfirmFactorProps> | undefined>();
  useEffect(() => {
    import('../../pages/entry/pages.ts').then(
      (loaded) => setLoaded(() => loaded.ConfirmFactor),
      () => props.onAnswer(false),
    );
  }, []);
  return ConfirmFactor === undefined ? null : <ConfirmFactor {...props} />;
}

function ConfirmPassword({ onAnswer }: ConfirmProps) {
  const { client, resources } = useApp();
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => (password === '' ? { password: t('confirm_wrong') } : {}),
    async send({ password }) {
      await client.send('POST', 'api/ui/me/confirm', { password });
      resources.invalidate(ME);
      onAnswer(true);
    },
  });
  return (
    <Dialog title={t('confirm_heading')} onClose={() => onAnswer(false)}>
      <p class="soft">{t('confirm_lead')}</p>
      <Form form={form}>
        <TextField form={form} name="password" label={t('confirm_password')} type="password" autocomplete="current-password" />
        <DialogActions submit={t('confirm_submit')} isSending={form.isSending} onCancel={() => onAnswer(false)} />
      </Form>
    </Dialog>
  );
}
