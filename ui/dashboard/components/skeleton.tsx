import { useEffect, useState } from 'preact/hooks';
import { t } from '../app/texts/en.ts';

/** What comes sooner needs no picture of itself. */
const AFTER_MS = 300;

/** What will be there, while it is loading. */
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
