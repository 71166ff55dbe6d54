import { useState } from 'preact/hooks';
import { useApp } from '../../app/context.ts';
import { AddApp } from './add-app.tsx';
import { AddPasskey } from './add-passkey.tsx';
import type { Added } from './added.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { t } from './texts.ts';

interface AddFactorProps {
  /** True when an app is already enrolled, since there can be only one. */
  readonly hasApp: boolean;
  /** Why browsers do not create passkeys at this address; null when they do. */
  readonly noPasskeys: 'no_https' | 'ip_address' | null;
  /** Called when a factor is enrolled and its recovery codes are shown. */
  readonly onCodes?: () => void;
  /** Called when a factor is enrolled and the member has saved the recovery codes, if there are any. */
  readonly onDone: () => void;
}

/** Offers the factors that can be enrolled, and shows the recovery codes that come with the first one. */
export function AddFactor({ hasApp, noPasskeys, onCodes, onDone }: AddFactorProps) {
  const { toast } = useApp();
  const [adding, setAdding] = useState<'app' | 'passkey' | undefined>();
  const [codes, setCodes] = useState<readonly string[] | undefined>();
  const close = () => setAdding(undefined);
  const added = ({ codes: made, text }: Added) => {
    close();
    toast(text);
    if (made === null) return onDone();
    onCodes?.();
    setCodes(made);
  };
  const finish = () => {
    setCodes(undefined);
    onDone();
  };
  return (
    <>
      <div class="actions">
        {noPasskeys === null && (
          <button type="button" class="btn" onClick={() => setAdding('passkey')}>
            {t('add_passkey')}
          </button>
        )}
        {!hasApp && (
          <button type="button" class="btn" onClick={() => setAdding('app')}>
            {t('add_app')}
          </button>
        )}
      </div>
      {noPasskeys !== null && <p class="soft small">{t(noPasskeys)}</p>}
      {adding === 'app' && <AddApp onAdded={added} onClose={close} />}
      {adding === 'passkey' && <AddPasskey onAdded={added} onClose={close} />}
      {codes && <RecoveryCodes codes={codes} onDone={finish} />}
    </>
  );
}
