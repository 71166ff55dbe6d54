import { useState } from 'preact/hooks';
import { useApp, useEnvironment, useMay } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { figure } from '../../components/figure.ts';
import type { Address } from '../../components/reconnect-session.ts';
import { useAction } from '../../components/use-action.ts';
import { useReconnect } from '../connection/reconnect.tsx';
import { t } from './texts.ts';

/** The maximum number of missing scopes that are shown immediately; a longer list is collapsed. */
const FEW = 3;

type Drift = Reply<'getScopeDrift'>;

/**
 * Lists connections that lack a scope, since they were created before it was added, or the user allowed less. Each has a link for
 * reconnecting.
 */
export function ScopeDrift({ path, integration }: { readonly path: string; readonly integration: string }) {
  const { client } = useApp();
  const { name } = useEnvironment();
  const mayReconnect = useMay('developer');
  const [found, setFound] = useState<Drift | undefined>();
  const { run, isRunning, error } = useAction(async () => {
    const query = found?.next_cursor ? `?${new URLSearchParams({ cursor: found.next_cursor })}` : '';
    const { data, compared, unknown, next_cursor } = await client.read<Drift>(`${path}/scope-drift${query}`);
    const before = query === '' ? undefined : found;
    setFound({
      data: [...(before?.data ?? []), ...data],
      compared: (before?.compared ?? 0) + compared,
      unknown: (before?.unknown ?? 0) + unknown,
      next_cursor,
    });
  });
  const hasMore = found === undefined || found.next_cursor !== null;
  return (
    <Card title={t('drift')}>
      <div class="stack">
        <p class="soft">{t('drift_hint')}</p>
        {error && <Failure error={error} />}
        <div role="status">
          {found && <p>{summaryOf(found)}</p>}
          {found && found.unknown > 0 && <p>{t.count('drift_unknown', found.unknown)}</p>}
        </div>
        {found && found.data.length > 0 && (
          <ul class="stack">
            {found.data.map(({ connection_id: id, connection_name: shownName, missing }) => (
              <li key={id} class="stack tight">
                <a
                  class="clip"
                  href={pathOf(['e', name, 'connections', integration, id, 'overview'])}
                  title={shownName ?? id}
                  dir="auto"
                >
                  {shownName ?? id}
                </a>
                <Missing scopes={missing} />
                {mayReconnect && <ReconnectLink environment={name} integration={integration} id={id} />}
              </li>
            ))}
          </ul>
        )}
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

function summaryOf({ data, compared, next_cursor }: Drift): string {
  if (next_cursor === null) return t.count('drift_found', data.length);
  return t('drift_so_far', { compared: figure(compared), count: data.length });
}

function Missing({ scopes }: { readonly scopes: readonly string[] }) {
  const list = scopes.join(', ');
  if (scopes.length <= FEW) return <p class="small soft wrap">{t('drift_missing', { scopes: list })}</p>;
  return (
    <details class="small soft">
      <summary>{t('drift_missing_many', { count: scopes.length })}</summary>
      <p class="wrap">{list}</p>
    </details>
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
