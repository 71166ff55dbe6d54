import { useState } from 'preact/hooks';
import { useApp, useEnvironment, useEnvironmentPath, useMayHoldSecrets } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { DestructiveDialog } from '../../components/destructive-dialog.tsx';
import { Failure } from '../../components/failure.tsx';
import { VERIFY } from '../../components/snippets/code.ts';
import { absoluteTime, localeOf } from '../../components/times.ts';
import { useAction } from '../../components/use-action.ts';
import { t } from './texts.ts';

type Shown = Reply<'revealSigningKey'>['data'];

/** The key by which the application verifies webhooks, and code that does so. */
export function SigningKey() {
  const mayHoldSecrets = useMayHoldSecrets();
  return (
    <div class="narrow">
      <Card title={t('signing_key')}>
        <div class="stack">
          <p class="soft">{t('signing_key_help')}</p>
          {mayHoldSecrets ? <RevealedKey /> : <p>{t('signing_key_admins')}</p>}
          <h3>{t('verify')}</h3>
          <CodeBlock label={t('verify')} snippets={VERIFY} />
        </div>
      </Card>
    </div>
  );
}

/** Reveals the key. Only this component keeps it, so it is gone when the user leaves. */
function RevealedKey() {
  const { client } = useApp();
  const { name } = useEnvironment();
  const path = `${useEnvironmentPath()}/webhooks/signing-key`;
  const [shown, setShown] = useState<Shown | undefined>();
  const [isAsking, setAsking] = useState(false);
  const read = async (verb: 'reveal' | 'rotate') =>
    setShown((await client.send<Reply<'revealSigningKey'>>('POST', `${path}/${verb}`)).data);
  const reveal = useAction(() => read('reveal'));
  return (
    <>
      {reveal.error && <Failure error={reveal.error} />}
      {shown && <Copyable text={shown.secret} what={t('signing_key')} />}
      {shown?.old_signs_until && (
        <p>{t('old_signs', { time: absoluteTime(new Date(shown.old_signs_until), localeOf(navigator.languages)) })}</p>
      )}
      <div class="actions">
        {shown ? (
          <button type="button" class="btn" onClick={() => setShown(undefined)}>
            {t('hide')}
          </button>
        ) : (
          <button type="button" class="btn" disabled={reveal.isRunning} onClick={() => void reveal.run()}>
            {t('reveal')}
          </button>
        )}
        <button type="button" class="btn" onClick={() => setAsking(true)}>
          {t('rotate')}
        </button>
      </div>
      {isAsking && (
        <DestructiveDialog
          title={t('rotate_heading')}
          consequence={t('rotate_consequence')}
          verb={t('rotate')}
          name={name}
          act={() => read('rotate')}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
