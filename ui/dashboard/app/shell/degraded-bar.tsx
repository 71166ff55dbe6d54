import { useEffect } from 'preact/hooks';
import { useApp, useMe } from '../context.ts';
import { ME } from '../replies.ts';
import { t } from '../texts/en.ts';

const RELOAD_MS = 5_000;

/** Says which part of the service does not work, as long as it does not. */
export function DegradedBar() {
  const { degraded } = useMe();
  const { resources } = useApp();
  useEffect(() => {
    if (degraded === null) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && void resources.load(ME), RELOAD_MS);
    return () => clearInterval(timer);
  }, [degraded]);
  return (
    <p class="bar-note warn" role="status" hidden={degraded === null}>
      {degraded !== null && t(`degraded_${degraded}`)}
    </p>
  );
}
