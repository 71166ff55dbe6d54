import { useState } from 'preact/hooks';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { useApp, useEnvironment, useMay } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { useAction } from '../../hooks/use-action.ts';
import type { Reply } from '../../wire.ts';
import { useReconnect } from '../connection/reconnect.tsx';
import type { Address } from '../connection/shown-connection.ts';
import { t } from './texts.ts';

type Drift = Reply<'getScopeDrift'>;

/** Connections that were made before a scope was added, or where somebody allowed less: each leads to where it is reconnected. */
export function ScopeDrift({ path, integration }: { readonly path: string; readonly integration: string }) {
  const { client } = useApp();
  const { name } = useEnvironment();
  const mayReconnect = useMay('developer');
  const [found, setFound] = useState<Drift | undefined>();
  const { run, isRunning, error } = useAction(async () => {
    const query = found?.next_cursor ? `?${new URLSearchParams({ cursor: found.next_cursor })}` : '';
    const { data, unknown, next_cursor } = await client.read<Drift>(`${path}/scope-drift${query}`);
    const before = query === '' ? undefined : found;
    setFound({ data: [...(before?.data ?? []), ...data], unknown: (before?.unknown ?? 0) + unknown, next_cursor });
  });
  const hasMore = found === undefined || found.next_cursor !== null;
  return (
    <Card title={t('drift')}>
      <div class="stack tight">
        <p class="soft">{t('drift_hint')}</p>
        {error && <Failure error={error} />}
        <div role="status">
          {found && (found.data.length > 0 || found.unknown === 0) && <p>{t.count('drift_found', found.data.length)}</p>}
          {found && found.unknown > 0 && <p>{t.count('drift_unknown', found.unknown)}</p>}
        </div>
        <ul class="stack tight">
          {found?.data.map(({ connection_id: id, display_name: shownName, missing }) => (
            <li key={id}>
              <a href={pathOf(['e', name, 'connections', integration, id, 'overview'])} dir="auto">
                {shownName ?? id}
              </a>
              <div class="small soft">{t('drift_missing', { scopes: missing.join(', ') })}</div>
              {mayReconnect && <ReconnectLink environment={name} integration={integration} id={id} />}
            </li>
          ))}
        </ul>
        {hasMore && (
          <div>
            <button type="button" class="btn" disabled={isRunning} onClick={() => void run()}>
              {t(found === undefined ? 'drift_check' : 'drift_more')}
            </button>
          </div>
        )}
      </div>
    </Card>
  );
}

function ReconnectLink(address: Address) {
  const { copy, isRunning, outcome } = useReconnect(address);
  return (
    <div class="actions">
      <button type="button" class="btn" disabled={isRunning} onClick={copy}>
        {t('drift_copy')}
      </button>
      {outcome}
    </div>
  );
}
