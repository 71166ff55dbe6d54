import type { ComponentChildren } from 'preact';
import { useMay } from '../../app/context.ts';
import type { One } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { usePolling } from '../../app/use-polling.ts';
import { useResource } from '../../app/use-resource.ts';
import { Icon } from '../../components/icon.tsx';
import { Elapsed, RelativeTime, useNow } from '../../components/relative-time.tsx';
import { sentence } from '../../components/sentence.ts';
import type { FullLogEntry } from '../logs/log-entry.ts';
import { useReconnect } from './reconnect.tsx';
import { Report } from './report.tsx';
import { apiPath, type Found, isBroken, nameOf } from './shown-connection.ts';
import { t } from './texts.ts';

/** A refresh that is due, but has not been made for this long, waits for a worker. */
const OVERDUE_MS = 30_000;

/** Says what is wrong with the connection now: whether calls work, why, and what happens next. Nothing while all is well. */
export function HealthPanel(found: Found) {
  const { address, health } = found;
  const isDegraded = health.state === 'degraded';
  usePolling(isDegraded ? apiPath(address, 'health') : null);
  if (!isDegraded && !isBroken(health)) return null;
  return (
    <section class={isDegraded && health.call_status === null ? 'trouble warn' : 'trouble'} aria-labelledby="trouble">
      <h2 id="trouble">
        <Icon name="warn" />
        <span>
          <Headline {...found} />
        </span>
      </h2>
      <p>
        <Cause {...found} /> <Lasting {...health} /> {t(isDegraded ? 'user_idle' : 'user_needed', { name: whose(found) })}
      </p>
      <Ways {...found} />
      <Facts {...found} />
    </section>
  );
}

function Headline({ health, status }: Found) {
  const { state, expires_at: end, call_status: calls } = health;
  const integration = status.integration.display_name;
  if (state === 'needs_reauth') return <>{t(`broken_${causeOf(health)}`, { integration })}</>;
  if (calls === null) return end === null ? t('degraded_unknown') : <Timed before="degraded_valid" at={end} />;
  return (
    <>
      <Timed before="expired" at={end} /> {t(calls === 503 ? 'calls_503' : 'calls_424')}
    </>
  );
}

/** For how long the connection has been in its state. One whose credentials have just expired still has its former state. */
function Lasting({ state, since }: Found['health']) {
  if (state !== 'degraded' && state !== 'needs_reauth') return null;
  return (
    <>
      {t(state === 'degraded' ? 'degraded_for' : 'broken_for')} <Elapsed since={since} />.
    </>
  );
}

/** A sentence that ends with a time. */
function Timed({ before, at }: { readonly before: 'degraded_valid' | 'expired'; readonly at: string | null }) {
  return (
    <>
      {t(before)} <RelativeTime at={at} isPrecise />.
    </>
  );
}

/** Names of the texts about connections that the user has to connect again. */
function causeOf({ cause }: Found['health']): 'refused' | 'expired' | 'lost' | 'client' {
  if (cause === 'invalid_credentials') return 'expired';
  if (cause === 'rotation_response_lost') return 'lost';
  return cause === 'client_changed' ? 'client' : 'refused';
}

/** The cause, as the log entry of the latest failure states it. */
function Cause({ address, health, status }: Found) {
  const { log_id: log, cause, state } = health;
  const path = log === null ? null : pathOf(['api', 'ui', 'e', address.environment, 'logs', log]);
  const summary = useResource<One<FullLogEntry>>(path).value?.data.summary;
  const integration = status.integration.display_name;
  if (state === 'degraded' && cause === 'too_many_request') return <>{t('cause_limited', { integration })}</>;
  return summary === undefined ? null : sentence(summary);
}

function Ways({ address, health }: Found) {
  const mayReconnect = useMay('developer') && isBroken(health);
  const { copy, isRunning, outcome } = useReconnect(address);
  return (
    <>
      <div class="actions">
        {mayReconnect && (
          <button type="button" class="btn" disabled={isRunning} onClick={copy}>
            {t('copy_reconnect')}
          </button>
        )}
        {health.log_id !== null && (
          <a class="btn" href={pathOf(['e', address.environment, 'logs', health.log_id])}>
            {t('view_log')}
          </a>
        )}
      </div>
      {outcome}
    </>
  );
}

function Facts(found: Found) {
  const { expires_at: end, call_status: calls } = found.health;
  const rows: Readonly<Record<string, ComponentChildren>> = {
    [t('calls')]: calls === null ? t('calls_sent') : t('calls_fail', { status: String(calls) }),
    [t('token')]: end === null ? t('expires_unknown') : <Expiry at={end} />,
    [t('next_try')]: <NextTry {...found} />,
    [t('your_app')]: <Report {...found} />,
  };
  return (
    <dl>
      {Object.entries(rows).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Expiry({ at }: { readonly at: string }) {
  const now = useNow(1_000);
  return (
    <>
      {t(new Date(at) <= now ? 'token_expired' : 'token_expires')} <RelativeTime at={at} isPrecise />
    </>
  );
}

function NextTry({ health }: Found) {
  const now = useNow(1_000);
  const { state, next_try: next, failed_tries: failed, is_refreshing: isRefreshing } = health;
  if (state !== 'degraded') return <>{t('no_try')}</>;
  const attempt = t('attempt', { number: failed + 1 });
  if (isRefreshing) return <>{`${t('under_way')}, ${attempt}`}</>;
  if (next === null) return <>{attempt}</>;
  const lateMs = now.getTime() - new Date(next).getTime();
  if (lateMs > 0 && lateMs < OVERDUE_MS) return <>{`${t('now')}, ${attempt}`}</>;
  return (
    <>
      {lateMs > 0 && `${t('overdue')} `}
      <span class="capital">
        <RelativeTime at={next} isPrecise />
      </span>
      {`, ${attempt}`}
    </>
  );
}

/** Returns the name of the connection's user, or words for a user without one. */
function whose(found: Found): string {
  const name = nameOf(found);
  return name === found.address.id ? t('its_user') : name;
}
