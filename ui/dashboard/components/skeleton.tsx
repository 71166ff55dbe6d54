import { useEffect, useState } from 'preact/hooks';
import { t } from '../app/texts/en.ts';

/** The delay before the placeholder is shown: content that arrives sooner needs none. */
const AFTER_MS = 300;

/** A placeholder for rows that are being loaded. */
export function Skeleton({ rows }: { readonly rows: number }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="bones" role="status">
      {isLate && (
        <>
          <span class="sr">{t('loading')}</span>
          {Array.from({ length: rows }, (_, index) => (
            <div class="bone" key={index} aria-hidden="true" />
          ))}
        </>
      )}
    </div>
  );
}
