import { useState } from 'preact/hooks';
import { useApp } from '../../app/context.ts';
import { AddApp } from './add-app.tsx';
import { AddPasskey } from './add-passkey.tsx';
import type { Added } from './added.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { t } from './texts.ts';

interface AddFactorProps {
  /** There is one already: an app is enrolled once. */
  readonly hasApp: boolean;
  /** Why browsers make no passkeys here; null: they do. */
  readonly noPasskeys: 'no_https' | 'ip_address' | null;
  /** It is enrolled, and the recovery codes are shown. */
  readonly onCodes?: () => void;
  /** It is enrolled, and the recovery codes are saved. */
  readonly onDone: () => void;
}

/** What can be enrolled, and the recovery codes that come with the first. */
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
