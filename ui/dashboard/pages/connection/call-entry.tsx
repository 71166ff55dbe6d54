import { useEnvironment, useEnvironmentPath } from '../../app/context.ts';
import type { Many, One } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import type { FullLogEntry, LogEntry } from '../logs/log-entry.ts';
import { OperationCause } from '../logs/operation-cause.tsx';
import { t } from './texts.ts';

/**
 * The entry of the log for a call that was tried: why the call failed, if it did, and a link. Nothing while there is no entry; a
 * request that was refused before the proxy has none.
 */
export function CallEntry({ requestId }: { readonly requestId: string }) {
  const { name } = useEnvironment();
  const path = `${useEnvironmentPath()}/logs`;
  const query = new URLSearchParams({ type: 'proxy', search: requestId, limit: '1' });
  const id = useResource<Many<LogEntry>>(`${path}?${query}`).value?.data[0]?.id;
  const entry = useResource<One<FullLogEntry>>(id === undefined ? null : `${path}/${id}`).value?.data;
  if (id === undefined) return null;
  return (
    <div class="stack">
      {entry && <OperationCause {...entry} />}
      <p>
        <a href={pathOf(['e', name, 'logs', id])}>{t('view_log')}</a>
      </p>
    </div>
  );
}
