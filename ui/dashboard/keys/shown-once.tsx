import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import type { Plane } from './plane.ts';
import { t } from './texts.ts';

interface ShownOnceProps {
  readonly variable: Plane['variable'];
  /** Of the key, or words for it. */
  readonly name: string;
  readonly secret: string;
  readonly onDone: () => void;
}

/** A key that was just made: no other response has its secret, so nothing but the button closes this. */
export function ShownOnce({ variable, name, secret, onDone }: ShownOnceProps) {
  return (
    <Dialog title={t('key_once')} onClose={() => undefined}>
      <div class="stack">
        <p class="wrap">{name}</p>
        <code class="code">{secret}</code>
        <div class="actions end">
          <CopyButton text={secret} what={t('the_key')} isWide />
          <a class="btn" download=".env" href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${variable}=${secret}\n`)}`}>
            {t('download_env')}
          </a>
          <button type="button" class="btn primary" onClick={onDone}>
            {t('i_saved_it')}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
