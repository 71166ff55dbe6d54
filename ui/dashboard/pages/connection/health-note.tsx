import { useMay } from '../../app/context.ts';
import type { One } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Note } from '../../components/note.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { FullLogEntry } from '../logs/log-entry.ts';
import { useReconnect } from './reconnect.tsx';
import { type Address, type Found, nameOf } from './shown-connection.ts';
import { t } from './texts.ts';

/** Says why the connection does not work, since when, and what happens next. */
export function HealthNote(found: Found) {
  const { state, cause, since, log_id: log } = found.health;
  if (state !== 'needs_reauth' && state !== 'degraded') return null;
  return (
    <Note tone={state === 'degraded' ? 'warn' : 'bad'} isAlert={false}>
      <b>
        {t(`note_${state}`)} <RelativeTime at={since} />
        {log !== null && <Code {...found.address} log={log} known={cause} />}.
      </b>
      <p>
        {cause !== null && t(`cause_${cause}`, { integration: found.status.integration.display_name })} <Next {...found} />
      </p>
      <Ways {...found} />
    </Note>
  );
}

interface CodeProps extends Address {
  readonly log: string;
  /** The cause that the note already describes in words; an equal error code is not shown. */
  readonly known: string | null;
}

/** The error code of the log entry, which the user can quote to the provider. */
function Code({ environment, log, known }: CodeProps) {
  const code = useResource<One<FullLogEntry>>(pathOf(['api', 'ui', 'e', environment, 'logs', log])).value?.data.error_code;
  return code && code !== known ? <span>{t('note_code', { code })}</span> : null;
}

function Next(found: Found) {
  const { state, next_try: next } = found.health;
  if (state === 'needs_reauth') {
    const name = nameOf(found);
    return <>{t('next_needs_reauth', { name: name === found.address.id ? t('its_user') : name })}</>;
  }
  return (
    <>
      {t('next_degraded')}{' '}
      {next !== null && (
        <>
          {t('next_try')} <RelativeTime at={next} />.
        </>
      )}
    </>
  );
}

function Ways({ address, health: { state, log_id: log } }: Found) {
  const mayReconnect = useMay('developer');
  const { copy, open, isRunning, outcome } = useReconnect(address);
  return (
    <>
      <div class="actions">
        {state === 'needs_reauth' && mayReconnect && (
          <>
            <button type="button" class="btn" disabled={isRunning} onClick={copy}>
              {t('copy_reconnect')}
            </button>
            <button type="button" class="btn primary" disabled={isRunning} onClick={open}>
              {t('reconnect_now')}
            </button>
          </>
        )}
        {log !== null && (
          <a class="btn" href={pathOf(['e', address.environment, 'logs', log])}>
            {t('view_log')}
          </a>
        )}
      </div>
      {outcome}
    </>
  );
}
