import { CopyButton } from '../copy-button.tsx';
import { Dialog } from '../dialog.tsx';
import { t } from './texts.ts';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Shows newly created recovery codes. They are shown only this once, so only the button closes the dialog. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const text = codes.join('\n');
  return (
    <Dialog title={t('codes_heading')} onClose={() => undefined}>
      <div class="stack">
        <p>{t('codes_lead')}</p>
        <ol class="codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <div class="actions">
          <CopyButton text={text} what={t('the_codes')} verb={t('copy_codes')} isWide />
          <a
            class="btn"
            download="svc-recovery-codes.txt"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          >
            {t('download_codes')}
          </a>
        </div>
        <div class="actions end">
          <button type="button" class="btn primary" onClick={onDone}>
            {t('codes_saved')}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
