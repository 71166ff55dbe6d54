import { useState } from 'preact/hooks';
import { useApp, useEnvironment } from '../../app/context.ts';
import { t as shared } from '../../app/texts/en.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { harmless } from '../../components/csv.ts';
import { Dialog } from '../../components/dialog.tsx';
import { createReconnectSession } from '../../components/reconnect-session.ts';
import { clockTime, localeOf } from '../../components/times.ts';
import { connectionName } from '../../components/whose.ts';
import { t } from './texts.ts';
import { ToolButton } from './tool-button.tsx';
import { type BulkAction, linesOf } from './use-bulk-work.ts';

/** Maximum number of links at once. */
const MAX = 50;

interface Links {
  /** A line for each connection: its name, a tab, and its link. */
  readonly text: string;
  readonly count: number;
  /** The time at which the first of them expires. */
  readonly until: Date;
  readonly isCopied: boolean;
}

/** Creates a link for each selected connection, by which its user authorizes it again, and copies all of them. */
export function CopyLinks({ selection, work }: BulkAction) {
  const { client } = useApp();
  const { name: environment } = useEnvironment();
  const [links, setLinks] = useState<Links | undefined>();
  const create = async () => {
    const { rows } = selection;
    if (rows.length > MAX) return work.tell({ title: t('links_limit', { count: MAX }), lines: [] });
    const ends = await work.run('links', rows, ({ connection_id: id, provider_config_key: integration }) =>
      createReconnectSession(client, { environment, integration, id }),
    );
    if (ends === undefined) return;
    const { done, failed } = ends;
    if (failed.length > 0) work.tell({ title: t.count('failed_links', failed.length), lines: linesOf(failed) });
    if (done.length === 0) return;
    const text = done.map(({ item, result }) => `${oneLine(connectionName(item))}\t${result.connect_link}`).join('\n');
    const until = new Date(Math.min(...done.map(({ result }) => Date.parse(result.expires_at))));
    setLinks({ text, count: done.length, until, isCopied: await isCopied(text) });
  };
  return (
    <>
      <ToolButton icon="link" text={t('copy_links')} work={work} onClick={() => void create()} />
      {links && <LinksDialog {...links} onClose={() => setLinks(undefined)} />}
    </>
  );
}

/** Returns a name as one cell of a line, which a spreadsheet does not take for a formula. */
function oneLine(name: string): string {
  return harmless(name.replaceAll(/\s+/g, ' '));
}

/** Copies a text. @returns false if the browser does not allow that, as it does not by plain http */
async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function LinksDialog({ text, count, until, isCopied, onClose }: Links & { readonly onClose: () => void }) {
  const time = clockTime(until, localeOf(navigator.languages));
  return (
    <Dialog title={t('links_heading')} onClose={onClose}>
      <div class="stack">
        <p>{t.count(isCopied ? 'links_copied' : 'links_created', count)}</p>
        <p class="soft">{t('links_hint', { time })}</p>
        <textarea
          class="input mono"
          readOnly
          rows={6}
          aria-label={t('links_heading')}
          value={text}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <div class="actions end">
          <button type="button" class="btn" onClick={onClose}>
            {shared('close')}
          </button>
          <CopyButton text={text} what={t('links_heading')} verb={t('copy_again')} isWide isPrimary />
        </div>
      </div>
    </Dialog>
  );
}
