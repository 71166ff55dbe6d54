import { useState } from 'preact/hooks';
import { Card } from '../../components/card.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { Failure } from '../../components/failure.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useApp } from '../../context.ts';
import { useAction } from '../../hooks/use-action.ts';
import type { Reply } from '../../wire.ts';
import { useEnvironmentPath } from './settings-page.tsx';
import { t } from './texts.ts';

type Shown = Reply<'revealSigningKey'>['data'];

/** What the application verifies messages with. It is kept in this card alone, and gone with it. */
export function SigningKey() {
  const { client } = useApp();
  const path = `${useEnvironmentPath()}/webhooks/signing-key`;
  const [shown, setShown] = useState<Shown | undefined>();
  const read = async (verb: 'reveal' | 'rotate') =>
    setShown((await client.send<Reply<'revealSigningKey'>>('POST', `${path}/${verb}`)).data);
  const reveal = useAction(() => read('reveal'));
  const rotate = useAction(() => read('rotate'));
  const error = reveal.error ?? rotate.error;
  return (
    <div class="narrow">
      <Card title={t('signing_key')}>
        <div class="stack">
          <p class="soft">{t('signing_key_help')}</p>
          {error && <Failure error={error} texts={{ conflict: t('rotated_lately') }} />}
          {shown && <Copyable text={shown.secret} what={t('signing_key')} />}
          {shown?.old_signs_until && (
            <p>
              {t('old_signs')} <RelativeTime at={shown.old_signs_until} />
            </p>
          )}
          <div class="actions">
            <button type="button" class="btn" disabled={reveal.isRunning} onClick={() => void reveal.run()}>
              {t('reveal')}
            </button>
            <button type="button" class="btn" disabled={rotate.isRunning} onClick={() => void rotate.run()}>
              {t('rotate')}
            </button>
          </div>
        </div>
      </Card>
    </div>
  );
}
