import type { ComponentChildren } from 'preact';
import { t as shared } from '../../app/texts/en.ts';
import { Icon } from '../../components/icon.tsx';
import { sentence } from '../../components/sentence.ts';
import type { FullLogEntry } from './log-entry.ts';
import { t, type texts } from './texts.ts';

type Cause = NonNullable<FullLogEntry['cause']>;
type Kind = Cause['kind'];

/** Commands that show what the service's machine sees of the URL that was called, by the kind of the failure. */
const COMMANDS: Readonly<Partial<Record<Kind, (url: URL) => string>>> = {
  dns: ({ hostname }) => `getent hosts ${hostname}`,
  refused: ({ origin }) => `curl -sv ${origin}/ -o /dev/null`,
  route: ({ origin }) => `curl -sv ${origin}/ -o /dev/null`,
  timeout: ({ origin }) => `curl -sv --max-time 20 ${origin}/ -o /dev/null`,
  reset: ({ origin }) => `curl -sv ${origin}/ -o /dev/null`,
  certificate: ({ hostname, port }) => `openssl s_client -connect ${hostname}:${port || '443'} </dev/null`,
  tls: ({ hostname, port }) => `openssl s_client -connect ${hostname}:${port || '443'} </dev/null`,
};

/** Names of the texts for what can be done, by the kind of the failure. */
const WAYS: Readonly<Partial<Record<Kind, keyof typeof texts>>> = {
  dns: 'way_dns',
  refused: 'way_refused',
  route: 'way_route',
  timeout: 'way_timeout',
  reset: 'way_reset',
  certificate: 'way_certificate',
  tls: 'way_tls',
  not_allowed: 'way_not_allowed',
};

/** Why an operation failed, what the other side said, and what can be done. Nothing for other operations. */
export function OperationCause(entry: FullLogEntry) {
  const { cause, error_code: code } = entry;
  if (!cause) return null;
  const said = [
    cause.kind === 'code' && cause.meaning !== null ? '' : sentence(cause.reason ?? cause.meaning ?? entry.summary),
    cause.said === null ? '' : t('cause_said', { said: cause.said }),
  ].filter((text) => text !== '');
  return (
    <section class="trouble cause" aria-labelledby="cause">
      <h2 id="cause">
        <Icon name="warn" />
        <span>{titleOf(entry, cause)}</span>
      </h2>
      {said.length > 0 && <p>{said.join(' ')}</p>}
      <ul>
        {waysOf(entry, cause).map((way, index) => (
          <li key={index}>{way}</li>
        ))}
      </ul>
      {code !== null && cause.meaning !== null && (
        <p class="small">
          <a href={`docs/errors#${code}`}>{t('cause_docs', { code })}</a>
        </p>
      )}
    </section>
  );
}

function titleOf({ type, http_status: status }: FullLogEntry, cause: Cause): string {
  if (cause.kind === 'status') return t('cause_status', { who: whoOf(type, cause), status: String(status) });
  if (cause.kind === 'code' && cause.meaning !== null) return t('cause_meaning', { meaning: cause.meaning.replace(/\.$/, '') });
  return t(`cause_${cause.kind}`);
}

/** Returns who responded: the application, or the provider by the host that was called. */
function whoOf(type: string, { host }: Cause): string {
  return type === 'webhook' ? t('your_app') : (host ?? t('the_provider'));
}

/** Returns what somebody can do: about the failure itself, then about what it means for the connection. */
function waysOf(
  { type, status, http_status: code }: FullLogEntry,
  { kind, origin, remedy }: Cause,
): readonly ComponentChildren[] {
  const command = origin === null ? undefined : COMMANDS[kind]?.(new URL(origin));
  const way = kind === 'status' ? byStatus(type, code ?? 0) : WAYS[kind];
  const isNotAccepted = kind === 'status' && type === 'webhook' && (code === 401 || code === 403);
  return [
    ...(command === undefined
      ? []
      : [
          <>
            {t('see_machine')} <code class="wrap">{command}</code>
          </>,
        ]),
    ...(isNotAccepted ? [shared('webhook_not_accepted')] : []),
    ...(way === undefined ? [] : [t(way)]),
    // What helps against any failure of the kind would contradict what helps against this one.
    ...(remedy === null || WAYS[kind] !== undefined ? [] : [remedy]),
    ...(type === 'refresh' && kind !== 'code' && status === 'failure' ? [t('way_refresh')] : []),
  ];
}

function byStatus(type: string, status: number): keyof typeof texts | undefined {
  if (type === 'webhook') return 'way_app';
  if (status === 401) return 'way_401';
  if (status === 403) return 'way_403';
  if (status === 404) return 'way_404';
  if (status === 429) return 'way_429';
  return status >= 500 ? 'way_5xx' : 'way_4xx';
}
