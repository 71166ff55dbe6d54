import { useState } from 'preact/hooks';
import { useList } from '../../app/use-list.ts';
import { Badge } from '../badge.tsx';
import { DataTable } from '../data-table.tsx';
import { Empty } from '../empty.tsx';
import { FormButton } from '../form-button.tsx';
import { RelativeTime } from '../relative-time.tsx';
import type { Column } from '../table-head.tsx';
import { localeOf, relativeTime } from '../times.ts';
import { KeyActions } from './key-actions.tsx';
import { CreateKey } from './new-key.tsx';
import { inWords, isExpired, type Key, leftWithout, type NewKey, type Plane } from './plane.ts';
import { ShownOnce } from './shown-once.tsx';
import { t } from './texts.ts';

interface KeysSectionProps {
  readonly plane: Plane;
  /** The path of these keys in the private interface. */
  readonly path: string;
  readonly title: string;
  /** True when the member may revoke keys. */
  readonly mayChange: boolean;
  /**
   * True when the member may create and roll keys. This is restricted in production, where a key gives access to end users'
   * credentials.
   */
  readonly mayMake: boolean;
}

/** The list of API keys of an environment or of the account, with its actions. */
export function KeysSection({ plane, path, title, mayChange, mayMake }: KeysSectionProps) {
  const [made, setMade] = useState<NewKey | undefined>();
  const list = useList<Key>(path);
  const actions: Column<Key> = {
    head: t('actions'),
    cell: (key) => (
      <KeyActions
        path={path}
        apiKey={key}
        consequence={consequenceOf(plane, key, list.rows ?? [])}
        mayRoll={mayMake}
        onMade={setMade}
      />
    ),
    phone: 'end',
  };
  const columns: readonly Column<Key>[] = [
    { head: t('name'), cell: (key) => <Recognized {...key} /> },
    { head: t('scopes'), cell: (key) => <Allowed plane={plane} apiKey={key} />, phone: 'second' },
    { head: t('created'), cell: (key) => <Made {...key} />, isNumber: true, isWide: true },
    { head: t('last_used'), cell: ({ last_used_at: at }) => <RelativeTime at={at} />, isNumber: true, isWide: true },
    { head: t('expires'), cell: (key) => <Expiry {...key} />, isNumber: true },
    ...(mayChange ? [actions] : []),
  ];
  return (
    <div class="stack">
      {made && <ShownOnce variable={plane.variable} {...made} onDone={() => setMade(undefined)} />}
      {mayMake && (
        <div class="bar">
          <div class="push">
            <FormButton label={t('create_key')}>
              {(close) => <CreateKey plane={plane} path={path} onMade={setMade} onClose={close} />}
            </FormButton>
          </div>
        </div>
      )}
      <DataTable
        caption={title}
        list={list}
        columns={columns}
        keyOf={({ id }) => String(id)}
        count={(total) => t.count('keys', total)}
        empty={<Empty title={t('no_keys')} hint={t('no_keys_hint')} />}
      />
      {mayChange && !mayMake && <p class="soft">{t('for_admins')}</p>}
    </div>
  );
}

/** Says what revoking a key causes, and when it was last used. */
function consequenceOf(plane: Plane, key: Key, keys: readonly Key[]): string {
  const left = leftWithout(plane, key, keys);
  const locale = localeOf(navigator.languages);
  return [
    t(isExpired(key) ? 'revoke_expired' : 'revoke_consequence'),
    key.last_used_at === null
      ? t('revoke_unused')
      : t('revoke_used', { time: relativeTime(new Date(key.last_used_at), new Date(), locale) }),
    ...(left === undefined ? [] : [t(`revoke_full_${left}`)]),
  ].join(' ');
}

/** The name of a key, and the last four characters of its secret. */
function Recognized({ name, last4 }: Key) {
  return (
    <span class="two">
      <b>{name}</b>
      <code class="small faint">{`••••${last4}`}</code>
    </span>
  );
}

function Made({ created_at: at, created_by: by }: Key) {
  return (
    <span class="two">
      <RelativeTime at={at} />
      {by !== null && (
        <span class="small faint clip" title={by}>
          {t('created_by', { name: by })}
        </span>
      )}
    </span>
  );
}

function Expiry(key: Key) {
  const time = <RelativeTime at={key.expires_at} />;
  if (!isExpired(key)) return time;
  return (
    <span class="state">
      <Badge tone="idle">{t('expired')}</Badge>
      {time}
    </span>
  );
}

/** The permissions of a key; on a phone also the values of the columns for which there is no room. */
function Allowed({ plane, apiKey }: { readonly plane: Plane; readonly apiKey: Key }) {
  return (
    <>
      <span class="clip" title={apiKey.scopes.join('\n')}>
        {inWords(plane, apiKey.scopes)}
      </span>
      <span class="phone">
        {t('last_used')} <RelativeTime at={apiKey.last_used_at} /> · {!isExpired(apiKey) && t('expires')} <Expiry {...apiKey} />
      </span>
    </>
  );
}
