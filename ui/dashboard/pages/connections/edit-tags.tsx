import { useState } from 'preact/hooks';
import { ApiError } from '../../../kit/api-error.ts';
import { useApp, useEnvironment } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { t as shared } from '../../app/texts/en.ts';
import { faultsIn, type Tags } from '../../components/tags.ts';
import { ownerOf } from '../../components/whose.ts';
import { apiPath } from '../connection/shown-connection.ts';
import { type TagChange, TagsDialog } from './tags-dialog.tsx';
import { t } from './texts.ts';
import { ToolButton } from './tool-button.tsx';
import { type BulkAction, keyOf, linesOf, type Row } from './use-bulk-work.ts';

/** Sets or removes a tag of all selected connections; their other tags stay. Those that could not be changed stay selected. */
export function EditTags({ selection, change, work }: BulkAction) {
  const { client, toast } = useApp();
  const { name: environment } = useEnvironment();
  const [isOpen, setOpen] = useState(false);
  const { rows } = selection;
  const edit = async ({ connection_id: id, provider_config_key: integration }: Row, wanted: TagChange) => {
    const path = apiPath({ environment, integration, id });
    const record = await client.read<Reply<'getConnection'>>(path);
    const tags = tagsAfter(record.tags, wanted);
    if (tags !== undefined) await client.send('PATCH', path, { tags });
    return ownerOf({ ...record, ...(tags && { tags }) });
  };
  const apply = async (wanted: TagChange) => {
    const ends = await work.run('tags', rows, (row) => edit(row, wanted));
    if (ends === undefined) return;
    const { done, failed } = ends;
    const owners = new Map(done.map(({ item, result }) => [keyOf(item), result]));
    change((row) => ({ ...row, ...owners.get(keyOf(row)) }));
    if (failed.length === 0) {
      toast(t.count(wanted.value === undefined ? 'tag_removed' : 'tag_set', done.length, { name: wanted.key }));
      return;
    }
    selection.select(failed.map(({ item }) => item));
    work.tell({ title: t.count('failed_tags', failed.length), lines: linesOf(failed, { tag_limit: shared('tag_limit') }) });
  };
  return (
    <>
      <ToolButton icon="tag" text={t('edit_tags')} work={work} onClick={() => setOpen(true)} />
      {isOpen && <TagsDialog count={rows.length} onApply={(wanted) => void apply(wanted)} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Returns the tags of a connection after the change; undefined if nothing changes. @throws ApiError if there are too many */
function tagsAfter(tags: Tags, { key, value }: TagChange): Tags | undefined {
  if (tags[key] === value) return undefined;
  if (value === undefined) {
    const { [key]: _, ...others } = tags;
    return others;
  }
  const fault = faultsIn({ tags, key, value }).key;
  if (fault !== undefined) throw new ApiError(fault, { status: 400 });
  return { ...tags, [key]: value };
}
