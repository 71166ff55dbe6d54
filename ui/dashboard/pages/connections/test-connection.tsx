import { useState } from 'preact/hooks';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { TagEditor } from '../../components/tag-editor.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { useConnectSession } from '../../hooks/use-connect-session.ts';
import { MadeLink, useConnectLink, useTestTags } from './connect-link.tsx';
import { t } from './texts.ts';

/** As an end user would connect, here or wherever the link is opened. */
export function TestConnection({ integration }: { readonly integration: string }) {
  const testTags = useTestTags();
  const [tags, setTags] = useState(testTags);
  const sessions = useConnectSession();
  const { run, isRunning, error } = useAction(() => sessions.open({ integration, tags }));
  const link = useConnectLink(tags, integration);
  return (
    <Card title={t('tags')}>
      <div class="stack">
        <p class="soft">{t('tags_hint')}</p>
        <TagEditor tags={tags} onChange={setTags} />
        {error && <Failure error={error} />}
        <div class="actions">
          <button type="button" class="btn primary" disabled={isRunning} onClick={() => void run()}>
            {t('open_window')}
          </button>
          <button type="button" class="btn" disabled={link.isRunning} onClick={() => void link.run()}>
            {t('copy_link')}
          </button>
        </div>
        <MadeLink {...link} />
      </div>
    </Card>
  );
}
