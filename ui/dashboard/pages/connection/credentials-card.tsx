import { useState } from 'preact/hooks';
import { useApp, useMay, useMayHoldSecrets } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { Card } from '../../components/card.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { useAction } from '../../components/use-action.ts';
import { apiPath, changedPath, type Found } from './shown-connection.ts';
import { t, texts } from './texts.ts';

type Credentials = Reply<'revealCredentials'>['data']['credentials'];

const MASK = '••••••••••••';
/** The number of characters above which a text may need more lines than the card shows without scrolling. */
const LONG = 160;

/** Shows the credentials, masked until an authorized member reveals them. Only this card keeps them, until the user leaves it. */
export function CredentialsCard(found: Found) {
  const mayChange = useMay('developer');
  const mayReveal = useMayHoldSecrets();
  const { reveal, refresh, error, hide, revealed } = useCredentials(found);
  return (
    <Card title={t('credentials')}>
      <div class="stack">
        {error && <Failure error={error} />}
        {revealed ? <Revealed credentials={revealed} /> : <code>{MASK}</code>}
        {mayChange && (
          <div class="actions">
            {mayReveal &&
              (revealed ? (
                <button type="button" class="btn" onClick={hide}>
                  {t('hide')}
                </button>
              ) : (
                <button type="button" class="btn" disabled={reveal.isRunning} onClick={() => void reveal.run()}>
                  <Icon name="eye" />
                  {t('reveal')}
                </button>
              ))}
            {found.status.is_refreshable && (
              <button type="button" class="btn" disabled={refresh.isRunning} onClick={() => void refresh.run()}>
                {t('refresh')}
              </button>
            )}
          </div>
        )}
        {mayChange && <p class="small soft">{t(mayReveal ? 'reveal_hint' : 'reveal_admins')}</p>}
      </div>
    </Card>
  );
}

function useCredentials({ address }: Found) {
  const { client, resources, toast } = useApp();
  const [revealed, setRevealed] = useState<Credentials | undefined>();
  const [latest, setLatest] = useState<'reveal' | 'refresh'>('reveal');
  const reveal = useAction(async () => {
    setLatest('reveal');
    const { data } = await client.send<Reply<'revealCredentials'>>('POST', apiPath(address, 'reveal'));
    setRevealed(data.credentials);
  });
  const refresh = useAction(async () => {
    setLatest('refresh');
    try {
      const { is_refreshed: isRefreshed } = await client.send<Reply<'refreshCredentials'>>('POST', apiPath(address, 'refresh'));
      setRevealed(undefined);
      toast(t(isRefreshed ? 'refreshed_now' : 'not_refreshable'));
    } finally {
      // Even a failed refresh may have changed the connection's state.
      resources.invalidate(changedPath(address.environment));
    }
  });
  const { error } = { reveal, refresh }[latest];
  return { reveal, refresh, error, revealed, hide: () => setRevealed(undefined) };
}

function Revealed({ credentials }: { readonly credentials: Credentials }) {
  const { type: _, raw, ...members } = credentials as Readonly<Record<string, unknown>>;
  const rows = Object.entries(members).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const label = labelOf(name);
    return [label, <Secret key={name} text={text} what={label} />] as const;
  });
  return (
    <>
      {rows.length === 0 && raw === undefined && <p class="soft">{t('credentials_none')}</p>}
      <KeyValues rows={Object.fromEntries(rows)} />
      {raw !== undefined && (
        <details>
          <summary class="small soft">{t('raw')}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also without a mouse */}
          <pre class="code" tabIndex={0}>
            {JSON.stringify(raw, null, 2)}
          </pre>
        </details>
      )}
    </>
  );
}

/** A secret of any length, in a few lines, which scroll. */
function Secret({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span class="copyable secret">
      <code tabIndex={text.length > LONG ? 0 : undefined}>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

function labelOf(member: string): string {
  const key = `credentials_${member}`;
  return key in texts ? t(key as keyof typeof texts) : member;
}
