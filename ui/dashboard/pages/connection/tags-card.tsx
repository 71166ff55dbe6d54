import { useState } from 'preact/hooks';
import { useApp, useMay } from '../../app/context.ts';
import { Card } from '../../components/card.tsx';
import { Failure } from '../../components/failure.tsx';
import { TagEditor } from '../../components/tag-editor.tsx';
import { draftOf, type TagDraft, tagsIn } from '../../components/tags.ts';
import { useAction } from '../../components/use-action.ts';
import { apiPath, changedPath, type Found } from './shown-connection.ts';
import { t } from './texts.ts';

export function TagsCard({ address, connection }: Found) {
  const { client, resources, toast } = useApp();
  const mayChange = useMay('developer');
  const [edited, setEdited] = useState<TagDraft | undefined>();
  const draft = edited ?? draftOf(connection.tags);
  const tags = tagsIn(draft);
  const isChanged = tags !== undefined && JSON.stringify(tags) !== JSON.stringify(connection.tags);
  const { run, isRunning, error } = useAction(async () => {
    await client.send('PATCH', apiPath(address), { tags });
    setEdited(undefined);
    resources.invalidate(changedPath(address.environment));
    toast(t('saved'));
  });
  return (
    <Card title={t('tags')}>
      {mayChange ? (
        <div class="stack">
          {error && <Failure error={error} />}
          <TagEditor draft={draft} onChange={setEdited} />
          <p class="small soft">{t('tags_hint')}</p>
          <div class="actions">
            <button type="button" class="btn" disabled={isRunning || !isChanged} onClick={() => void run()}>
              {t('save_tags')}
            </button>
          </div>
        </div>
      ) : (
        <ul class="tags">
          {Object.entries(connection.tags).map(([name, value]) => (
            <li class="tag" key={name}>
              {name}: {value}
            </li>
          ))}
        </ul>
      )}
      {!mayChange && Object.keys(connection.tags).length === 0 && <p class="soft">{t('tags_none')}</p>}
    </Card>
  );
}
