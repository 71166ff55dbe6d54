import { Copyable } from '../components/copy-button.tsx';
import { Note } from '../components/note.tsx';
import type { NewKey, Plane } from './plane.ts';
import { t } from './texts.ts';

interface ShownOnceProps {
  readonly plane: Plane;
  readonly apiKey: NewKey;
  readonly onDone: () => void;
}

/** A key that was just made: no other response has its secret. */
export function ShownOnce({ plane, apiKey, onDone }: ShownOnceProps) {
  return (
    <Note tone="warn" title={t('key_once')} isAlert>
      <p>{apiKey.name}</p>
      <Copyable text={apiKey.secret} what={t('the_key')} />
      <div class="actions">
        <a
          class="btn"
          download=".env"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${plane.variable}=${apiKey.secret}\n`)}`}
        >
          {t('download_env')}
        </a>
        <button type="button" class="btn" onClick={onDone}>
          {t('i_saved_it')}
        </button>
      </div>
    </Note>
  );
}
