import { useApp } from '../../app/context.ts';
import { ME } from '../../app/replies.ts';
import { t } from '../../app/texts/en.ts';
import { Dialog } from '../dialog.tsx';
import { FactorForm, type FactorKind } from './factor-form.tsx';

export interface ConfirmFactorProps {
  readonly factors: readonly FactorKind[];
  readonly onAnswer: (isConfirmed: boolean) => void;
}

/** A dialog that asks a member for the second factor, in place of the password. */
export function ConfirmFactor({ factors, onAnswer }: ConfirmFactorProps) {
  const { client, resources } = useApp();
  return (
    <Dialog title={t('confirm_factor_heading')} onClose={() => onAnswer(false)}>
      <p class="soft">{t('confirm_factor_lead')}</p>
      <FactorForm
        factors={factors}
        verb={t('confirm_submit')}
        send={async (shown) => {
          await client.send('POST', 'api/ui/me/confirm', shown);
          resources.invalidate(ME);
          onAnswer(true);
        }}
        onCancel={() => onAnswer(false)}
      />
    </Dialog>
  );
}
