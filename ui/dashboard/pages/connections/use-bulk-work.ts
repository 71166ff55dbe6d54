import { useState } from 'preact/hooks';
import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { failureText } from '../../components/failure-text.ts';
import { figure } from '../../components/figure.ts';
import { useLeaving } from '../../components/use-leaving.ts';
import { connectionName } from '../../components/whose.ts';
import { type Ends, type Failed, inBulk } from './in-bulk.ts';
import { t } from './texts.ts';
import type { Selection } from './use-selection.ts';

export type Row = Reply<'listConnectionRows'>['data'][number];
type Kind = 'links' | 'tags' | 'deletion';

/** Returns what identifies a connection in lists: its ID is unique only within its integration. */
export function keyOf({ provider_config_key: key, connection_id: id }: Row): string {
  return pathOf([key, id]);
}

/** What went wrong: a sentence, and a line for each connection. */
export interface Report {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The work on the selected connections, of which there is one at a time. */
export interface BulkWork {
  /** A text that says how far the work is; undefined while there is none. */
  readonly progress: string | undefined;
  readonly report: Report | undefined;
  /** Calls a function for each connection. @returns undefined when the user has left meanwhile, or other work is under way */
  run<Result>(kind: Kind, rows: readonly Row[], act: (row: Row) => Promise<Result>): Promise<Ends<Row, Result> | undefined>;
  /** Shows what went wrong, until the user dismisses it or begins other work. */
  tell(report: Report | undefined): void;
}

/** The props of an action on the selected connections. */
export interface BulkAction {
  readonly selection: Selection<Row>;
  /** Changes rows of the list as the service has changed the connections; undefined instead of a row removes it. */
  readonly change: (edit: (row: Row) => Row | undefined) => void;
  readonly work: BulkWork;
}

export function useBulkWork(): BulkWork {
  const leaving = useLeaving();
  const [progress, setProgress] = useState<string | undefined>();
  const [report, setReport] = useState<Report | undefined>();
  return {
    progress,
    report,
    tell: setReport,
    async run(kind, rows, act) {
      if (progress !== undefined) return undefined;
      const show = (done: number) => setProgress(t(`doing_${kind}`, { done: figure(done), all: figure(rows.length) }));
      setReport(undefined);
      show(0);
      try {
        const ends = await inBulk(rows, act, {
          signal: leaving,
          pause: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
          onProgress: show,
          onWait: (count) => setProgress(t.count('waiting', count)),
        });
        return leaving.aborted ? undefined : ends;
      } finally {
        setProgress(undefined);
      }
    },
  };
}

/**
 * Returns a line for each connection that failed: its name, and why.
 *
 * @param texts texts by the error codes that the calls can have
 */
export function linesOf(failed: readonly Failed<Row>[], texts: Readonly<Record<string, string>> = {}): readonly string[] {
  return failed.map(({ item, error }) => t('failed_line', { name: connectionName(item), reason: failureText(error, texts) }));
}
