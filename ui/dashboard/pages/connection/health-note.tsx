import { Note } from '../../components/note.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { pathOf } from '../../core/router.ts';
import type { Address, Health } from './shown-connection.ts';
import { t } from './texts.ts';

interface HealthNoteProps {
  readonly address: Address;
  readonly health: Health;
  /** As people call it. */
  readonly integration: string;
}

/** Why the connection does not work as it should, since when, and what comes next. */
export function HealthNote({ address, health, integration }: HealthNoteProps) {
  const { state, cause, since, next_try: next, log_id: log } = health;
  if (state !== 'needs_reauth' && state !== 'degraded') return null;
  return (
    <Note tone={state === 'degraded' ? 'warn' : 'bad'} title={t(`note_${state}`)} isAlert={false}>
      <p>
        {cause !== null && t(`cause_${cause}`, { integration })} {t('since')} <RelativeTime at={since} />.
      </p>
      <p>
        {t(`next_${state}`)}{' '}
        {next !== null && (
          <>
            {t('next_try')} <RelativeTime at={next} />.
          </>
        )}
      </p>
      {log !== null && <a href={pathOf(['e', address.environment, 'logs', log])}>{t('view_log')}</a>}
    </Note>
  );
}
