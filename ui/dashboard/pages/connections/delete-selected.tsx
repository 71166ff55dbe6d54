import { useState } from 'preact/hooks';
import { useApp, useEnvironment } from '../../app/context.ts';
import { DestructiveDialog } from '../../components/destructive-dialog.tsx';
import { apiPath } from '../connection/shown-connection.ts';
import { t } from './texts.ts';
import { ToolButton } from './tool-button.tsx';
import { type BulkAction, keyOf, linesOf } from './use-bulk-work.ts';

/** Deletes the selected connections, after a confirmation. Those that could not be deleted stay selected. */
export function DeleteSelected({ selection, change, work }: BulkAction) {
  const { client, toast } = useApp();
  const { name: environment } = useEnvironment();
  const [isAsking, setAsking] = useState(false);
  const { rows } = selection;
  const remove = async () => {
    const ends = await work.run('deletion', rows, ({ connection_id: id, provider_config_key: integration }) =>
      client.send('DELETE', apiPath({ environment, integration, id })),
    );
    if (ends === undefined) return;
    const { done, failed } = ends;
    const deleted = new Set(done.map(({ item }) => keyOf(item)));
    change((row) => (deleted.has(keyOf(row)) ? undefined : row));
    selection.select(failed.map(({ item }) => item));
    if (failed.length > 0) work.tell({ title: t.count('failed_deletion', failed.length), lines: linesOf(failed) });
    else toast(t.count('deleted', done.length));
  };
  return (
    <>
      <ToolButton icon="bin" text={t('delete_selected')} work={work} isDangerous onClick={() => setAsking(true)} />
      {isAsking && (
        <DestructiveDialog
          title={t.count('delete_heading', rows.length)}
          consequence={t('delete_consequence')}
          verb={t('delete_verb')}
          name={String(rows.length)}
          mustType
          // The toolbar says how far it is, so the dialog need not stay.
          act={async () => void remove()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
