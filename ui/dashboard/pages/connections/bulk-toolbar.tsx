import { useLayoutEffect, useRef } from 'preact/hooks';
import { useApp, useEnvironment, useMay } from '../../app/context.ts';
import { t as shared } from '../../app/texts/en.ts';
import { csvTable } from '../../components/csv.ts';
import { Icon } from '../../components/icon.tsx';
import { Note } from '../../components/note.tsx';
import { saveFile } from '../../components/save-file.ts';
import { CopyLinks } from './copy-links.tsx';
import { DeleteSelected } from './delete-selected.tsx';
import { EditTags } from './edit-tags.tsx';
import { CSV_COLUMNS } from './export-connections.tsx';
import { t } from './texts.ts';
import { ToolButton } from './tool-button.tsx';
import { type BulkAction, type Report, useBulkWork } from './use-bulk-work.ts';

/** Maximum number of reported connections that are named. The others are selected, too. */
const MAX_LINES = 10;

/** The toolbar for the selected connections. It is there while some are selected, or something is to be said of the last ones. */
export function BulkToolbar(props: Omit<BulkAction, 'work'>) {
  const work = useBulkWork();
  const { rows } = props.selection;
  const { progress, report } = work;
  if (rows.length === 0 && progress === undefined && report === undefined) return null;
  return (
    <div class="bulk-place">
      {report && <BulkReport {...report} onClose={() => work.tell(undefined)} />}
      {(rows.length > 0 || progress !== undefined) && <Toolbar {...props} work={work} />}
    </div>
  );
}

function Toolbar(props: BulkAction) {
  const { selection, work } = props;
  const mayChange = useMay('developer');
  const bar = useRef<HTMLDivElement>(null);
  // When the toolbar goes, the page's heading gets the focus of the button that was pressed.
  useLayoutEffect(() => {
    const shown = bar.current;
    return () => {
      if (shown?.contains(document.activeElement)) document.querySelector('h1')?.focus({ preventScroll: true });
    };
  }, []);
  const count = selection.rows.length;
  return (
    <div ref={bar} class="bulk" role="toolbar" aria-label={t.count('toolbar', count)} onKeyDown={moveIn}>
      <b class="num" role="status">
        {work.progress ?? t.count('selected', count)}
      </b>
      <hr aria-orientation="vertical" />
      {mayChange && <CopyLinks {...props} />}
      {mayChange && <EditTags {...props} />}
      <ExportSelected {...props} />
      {mayChange && <DeleteSelected {...props} />}
      <hr aria-orientation="vertical" />
      <button type="button" class="btn quiet icon" aria-label={t('clear_selection')} onClick={() => selection.select([])}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/** Moves the focus from button to button with the arrow keys. */
function moveIn(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>(':scope > button')];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  buttons.at(next % buttons.length)?.focus();
}

function ExportSelected({ selection, work }: BulkAction) {
  const { toast } = useApp();
  const { name } = useEnvironment();
  const save = () => {
    saveFile(`connections-${name}.csv`, csvTable(CSV_COLUMNS, selection.rows));
    toast(t.count('exported', selection.rows.length));
  };
  return <ToolButton icon="save" text={shared('export_csv')} work={work} onClick={save} />;
}

function BulkReport({ title, lines, onClose }: Report & { readonly onClose: () => void }) {
  const more = lines.length - MAX_LINES;
  return (
    <Note tone="bad" title={title}>
      {lines.length > 0 && (
        <ul class="plain">
          {lines.slice(0, MAX_LINES).map((line, index) => (
            <li key={index} dir="auto">
              {line}
            </li>
          ))}
          {more > 0 && <li>{t.count('failed_more', more)}</li>}
        </ul>
      )}
      <button type="button" class="btn" onClick={onClose}>
        {shared('close')}
      </button>
    </Note>
  );
}
