import type { ComponentChildren } from 'preact';
import { useFilters } from '../app/use-place.ts';
import { Icon } from './icon.tsx';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /**
   * Where the column is shown in the two lines to which a row is reduced on a phone: as the second line, or at the end of the
   * first or second. Default: not at all. The first column is always the first line.
   */
  readonly phone?: 'second' | 'end' | 'end-second';
  /** True for a column of figures, which are aligned under each other. */
  readonly isNumber?: boolean;
  /** True for a column that is shown only on wide screens, since others have no room for it. */
  readonly isWide?: boolean;
  /** The values of `sort` in the URL by which the list is in the order of this column; `''` is the order without `sort`. */
  readonly sorts?: Readonly<Partial<Record<Direction, string>>>;
}

type Direction = 'ascending' | 'descending';

/** The selection of rows. Its functions are called long after a row was rendered, and must then know the present list. */
export interface RowSelection<Row> {
  readonly isSelected: (key: string) => boolean;
  /** @param isRange true for the rows between this one and the last one, too */
  readonly toggle: (key: string, isRange: boolean) => void;
  readonly toggleAll: () => void;
  /** Returns the accessible name of the row's checkbox. */
  readonly labelOf: (row: Row) => string;
  /** The accessible name of the checkbox for all rows. */
  readonly allLabel: string;
}

interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selection?: RowSelection<Row>;
}

/** The head of a table, with the checkbox for all rows, and buttons that sort the list. */
export function TableHead<Row>({ columns, rows, keyOf, selection }: TableHeadProps<Row>) {
  const { query } = useFilters();
  const selected = selection === undefined ? 0 : rows.filter((row) => selection.isSelected(keyOf(row))).length;
  return (
    <thead>
      <tr>
        {columns.map((column, index) => {
          const direction = directionOf(column, query.get('sort') ?? '');
          const name = <Name {...column} direction={direction} />;
          return (
            <th key={column.head} scope="col" class={classOf(column)} aria-sort={direction}>
              {index === 0 && selection !== undefined ? (
                <span class="who">
                  <Tick
                    label={selection.allLabel}
                    isOn={selected === rows.length}
                    isMixed={selected > 0 && selected < rows.length}
                    onToggle={selection.toggleAll}
                  />
                  {name}
                </span>
              ) : (
                name
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** The name of a column, and if the list can be in its order, a button that sorts it, or reverses the order. */
function Name<Row>({ head, sorts, direction }: Column<Row> & { readonly direction: Direction | undefined }) {
  const { set } = useFilters();
  if (sorts === undefined) return <>{head}</>;
  const { ascending, descending } = sorts;
  const next = direction === 'descending' ? (ascending ?? descending) : (descending ?? ascending);
  return (
    <button type="button" class="sort" onClick={() => set({ sort: next ?? null })}>
      {head}
      <Icon name="down" />
    </button>
  );
}

function directionOf<Row>({ sorts }: Column<Row>, sort: string): Direction | undefined {
  if (sorts?.descending === sort) return 'descending';
  return sorts?.ascending === sort ? 'ascending' : undefined;
}

interface TickProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly isMixed?: boolean;
  readonly onToggle: (isRange: boolean) => void;
}

/** A checkbox that selects. The label makes the target larger than the box. */
export function Tick({ label, isOn, isMixed = false, onToggle }: TickProps) {
  return (
    <label class="pick">
      <input
        type="checkbox"
        aria-label={label}
        checked={isOn}
        indeterminate={isMixed}
        onClick={({ shiftKey }) => onToggle(shiftKey)}
      />
    </label>
  );
}

export function classOf<Row>({ phone, isNumber, isWide }: Column<Row>): string {
  return [phone === undefined ? 'desk' : `phone-${phone}`, isNumber && 'num', isWide && 'wide'].filter(Boolean).join(' ');
}
