import { useMe } from '../context.ts';
import { ME } from '../replies.ts';
import { t } from '../texts/en.ts';
import { usePolling } from '../use-polling.ts';

/** Says which part of the service does not work, as long as it does not. */
export function DegradedBar() {
  const { degraded } = useMe();
  usePolling(degraded === null ? null : ME);
  return (
    <p class="bar-note warn" role="status" hidden={degraded === null}>
      {degraded !== null && t(`degraded_${degraded}`)}
    </p>
  );
}
