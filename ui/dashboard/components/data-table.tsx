import { Component, type ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { isPlain } from '../app/links.ts';
import { t } from '../app/texts/en.ts';
import type { List } from '../app/use-list.ts';
import { useFilters } from '../app/use-place.ts';
import { Empty } from './empty.tsx';
import { Failure } from './failure.tsx';
import { Skeleton } from './skeleton.tsx';
import { type Column, classOf, type RowSelection, TableHead, Tick } from './table-head.tsx';

const BONES = 6;

interface DataTableProps<Row> {
  /** Caption of the table, for screen readers only. */
  readonly caption: string;
  readonly list: List<Row>;
  /** `people`: rows of one height, each with a face and two lines. Default: rows as high as their cells. */
  readonly look?: 'people';
  /** The columns; the first one has the link to the row's page. */
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Returns the URL of the row's page; absent when rows do not have pages. */
  readonly hrefOf?: (row: Row) => string;
  /** Shows a row beside the list, instead of on its page. @returns false when the window is too narrow for that */
  readonly openBeside?: (key: string) => boolean;
  /** Key of the row that is shown beside the list. */
  readonly openKey?: string | undefined;
  /** The selection; absent when rows cannot be selected. */
  readonly selection?: RowSelection<Row>;
  /** The content that is shown when the list is empty although no filter is set. */
  readonly empty: ComponentChildren;
  /** Names of the list's filters in the URL. */
  readonly filters?: readonly string[];
  /**
   * Returns a text with the total number of rows; called if that number is known. Default: a text with the number of rows shown.
   */
  readonly count?: (total: number) => string;
}

/** A table of a list of the service, page by page, with its states: loading, empty, failed. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { list, empty, filters = [] } = props;
  const { set, count } = useFilters();
  const { rows, error, reload } = list;
  if (rows === undefined && error !== undefined) return <Failure error={error} onRetry={reload} />;
  if (rows === undefined) return <Skeleton rows={BONES} />;
  if (rows.length === 0 && count(filters) === 0) return <div class="card">{empty}</div>;
  if (rows.length === 0) {
    const clear = () => set(Object.fromEntries(filters.map((name) => [name, null])));
    return (
      <div class="card">
        <Empty title={t('no_match')}>
          <button type="button" class="btn" onClick={clear}>
            {t('clear_filters')}
          </button>
        </Empty>
      </div>
    );
  }
  return <Rows {...props} rows={rows} />;
}

function Rows<Row>(props: DataTableProps<Row> & { readonly rows: readonly Row[] }) {
  const { caption, list, look, rows, count } = props;
  const total = list.total ?? (list.hasMore ? undefined : rows.length);
  const body = useRef<HTMLTableSectionElement>(null);
  // Loads the next page and focuses its first row. The table already had rows, so it stays mounted, and the new ones are in the
  // document by the next frame.
  const loadMore = async () => {
    const first = await list.loadMore();
    if (first === undefined) return;
    requestAnimationFrame(() => focusRow(body.current?.rows[first]));
  };
  return (
    <div class="card">
      {list.error && (
        <div class="body">
          <Failure error={list.error} onRetry={list.reload} />
        </div>
      )}
      <table class={look}>
        <caption class="sr">{caption}</caption>
        <TableHead {...props} />
        <tbody ref={body}>
          {rows.map((row) => {
            const key = props.keyOf(row);
            const isSelected = props.selection?.isSelected(key) ?? false;
            return <TableRow {...props} key={key} row={row} isOpen={key === props.openKey} isSelected={isSelected} />;
          })}
        </tbody>
      </table>
      {list.moreError && (
        <div class="body">
          <Failure error={list.moreError} title={t('error_heading')} />
        </div>
      )}
      <div class="foot">
        <span class="num">{count && total !== undefined ? count(total) : t('rows_shown', { count: rows.length })}</span>
        {list.hasMore && (
          <button type="button" class="btn" onClick={() => void loadMore()}>
            {t(list.moreError ? 'try_again' : 'load_more')}
          </button>
        )}
      </div>
    </div>
  );
}

/** Focuses the row's first link or button, or the row itself when it has none. */
function focusRow(row: HTMLTableRowElement | undefined): void {
  if (row === undefined) return;
  row.tabIndex = -1;
  (row.querySelector<HTMLElement>('a, button') ?? row).focus();
}

interface FirstCellProps<Row> extends TableRowProps<Row> {
  readonly cell: ComponentChildren;
}

interface TableRowProps<Row> extends Pick<DataTableProps<Row>, 'columns' | 'hrefOf' | 'keyOf' | 'openBeside' | 'selection'> {
  readonly row: Row;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
}

/**
 * A row. It is rendered again only when the row or the columns have changed, or when it is opened, closed or selected:
 * rendering some hundred rows every second would take too long.
 */
class TableRow<Row> extends Component<TableRowProps<Row>> {
  override shouldComponentUpdate({ row, columns, isOpen, isSelected }: TableRowProps<Row>): boolean {
    const { props } = this;
    return row !== props.row || columns !== props.columns || isOpen !== props.isOpen || isSelected !== props.isSelected;
  }

  override render(props: TableRowProps<Row>) {
    const { columns, row, hrefOf, isSelected } = props;
    return (
      <tr class={[hrefOf && 'linked', isSelected && 'selected'].filter(Boolean).join(' ') || undefined}>
        {columns.map((column, index) => (
          <td key={column.head} class={index === 0 ? 'first' : classOf(column)}>
            {index === 0 ? <FirstCell {...props} cell={column.cell(row)} /> : column.cell(row)}
          </td>
        ))}
      </tr>
    );
  }
}

/** The link to the row's page, and the checkbox before it. */
function FirstCell<Row>({ cell, row, hrefOf, keyOf, openBeside, isOpen, isSelected, selection }: FirstCellProps<Row>) {
  const key = keyOf(row);
  const open = (event: MouseEvent) => {
    if (isPlain(event) && openBeside?.(key)) event.preventDefault();
  };
  const content =
    hrefOf === undefined ? (
      cell
    ) : (
      <a class="row-link" href={hrefOf(row)} aria-current={isOpen || undefined} onClick={open}>
        {cell}
      </a>
    );
  if (selection === undefined) return <>{content}</>;
  return (
    <span class="who">
      <Tick label={selection.labelOf(row)} isOn={isSelected} onToggle={(isRange) => selection.toggle(key, isRange)} />
      {content}
    </span>
  );
}
