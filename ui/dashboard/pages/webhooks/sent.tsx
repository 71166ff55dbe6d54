import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useEnvironment, useEnvironmentPath, useMay, useMe } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { type List, useList } from '../../app/use-list.ts';
import { useFilters } from '../../app/use-place.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { FilterBar, FilterChip, SelectFilter } from '../../components/filter-bar.tsx';
import { type Settings, useSettings } from '../../components/loaded-settings.tsx';
import { columnsFor, type Delivery, STATUSES } from './columns.tsx';
import { useResendAll } from './resend.ts';
import { TOGGLES } from './targets.tsx';
import { TestMenu } from './test-menu.tsx';
import { t } from './texts.ts';
import { WebhookPanel } from './webhook-panel.tsx';
import { WebhooksPage } from './webhooks-page.tsx';

const TYPES = ['auth', 'forward', 'test'] as const;
/** The filters that only links from other pages set; a click removes one. */
const CHIPS = { connection_id: 'connection', integration: 'integration', since: 'since', until: 'until' } as const;
const FILTERS = ['status', 'type', ...Object.keys(CHIPS)];
/** The media query of windows with room for a webhook beside the list. */
const ROOMY = '(min-width: 1101px)';
const PAGE = 50;
const RELOAD_MS = 2_000;
const SOON_MS = 60_000;

/** The list of the webhooks that were sent or wait, with the outcome of each. */
export function Sent() {
  const { name } = useEnvironment();
  const { query, set } = useFilters();
  const mayChange = useMay('developer');
  const filters = FILTERS.filter((one) => query.has(one)).map((one): [string, string] => [one, query.get(one) ?? '']);
  const list = useList<Delivery>(
    `${useEnvironmentPath()}/deliveries${filters.length > 0 ? `?${new URLSearchParams(filters)}` : ''}`,
  );
  useReloadWhilePending(list);
  const body = useRef<HTMLDivElement>(null);
  const open = query.get('open');
  const hrefOf = (id: string) => pathOf(['e', name, 'webhooks', 'sent', id]);
  const openBeside = (id: string) => {
    const hasRoom = matchMedia(ROOMY).matches;
    if (hasRoom) set({ open: id });
    return hasRoom;
  };
  const close = () => {
    body.current?.querySelector<HTMLElement>('[aria-current]')?.focus();
    set({ open: null });
  };
  return (
    <WebhooksPage part="sent">
      <MessageFilters>
        {mayChange && list.rows?.some(({ status }) => status === 'failed') && (
          <ResendFailed filters={Object.fromEntries(filters)} />
        )}
        <div class="push">{mayChange && <TestMenu />}</div>
      </MessageFilters>
      <div ref={body}>
        <DataTable
          caption={t('part_sent')}
          list={list}
          columns={columnsFor(name)}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => hrefOf(id)}
          openBeside={openBeside}
          openKey={open ?? undefined}
          filters={FILTERS}
          count={(total) => t.count('message_total', total)}
          empty={<Nothing />}
        />
        {open !== null && <WebhookPanel id={open} href={hrefOf(open)} onClose={close} />}
      </div>
    </WebhooksPage>
  );
}

function Nothing() {
  const settings = useSettings();
  const days = t.count('days', useMe().log_retention_days);
  return <Empty title={t('no_messages', { days })} hint={settings && hintFor(settings)} />;
}

function hintFor(settings: Settings): string {
  if (settings.webhook_url === null && settings.webhook_url_secondary === null) return t('no_messages_no_url');
  return t(TOGGLES.some((toggle) => settings[toggle]) ? 'no_messages_hint' : 'no_messages_no_events');
}

function MessageFilters({ children }: { readonly children: ComponentChildren }) {
  const { query, set } = useFilters();
  return (
    <FilterBar>
      <SelectFilter
        name="status"
        label={t('message_status')}
        choices={STATUSES.map((value) => ({ value, label: t(`status_${value}`) }))}
      />
      <SelectFilter
        name="type"
        label={t('message_type')}
        choices={TYPES.map((value) => ({ value, label: t(`type_${value}`) }))}
      />
      {Object.entries(CHIPS).map(([filter, text]) => {
        const value = query.get(filter);
        if (value === null) return null;
        return (
          <FilterChip key={filter} label={t('narrowed', { name: t(text), value })} onRemove={() => set({ [filter]: null })} />
        );
      })}
      {children}
    </FilterBar>
  );
}

function ResendFailed({ filters }: { readonly filters: Readonly<Record<string, string>> }) {
  const { run, isRunning, error } = useResendAll({ ...filters, status: 'failed' });
  return (
    <>
      <button type="button" class="btn" disabled={isRunning} onClick={() => void run()}>
        {t('resend_failed')}
      </button>
      {error && <Failure error={error} />}
    </>
  );
}

/**
 * Reloads the list while the next attempt of a webhook is near. A list of several pages is not reloaded, since the user would
 * lose their place.
 */
function useReloadWhilePending({ rows, reload }: List<Delivery>): void {
  useEffect(() => {
    if (rows === undefined || rows.length > PAGE || !rows.some(isDueSoon)) return;
    const timer = setTimeout(() => document.visibilityState === 'visible' && reload(), RELOAD_MS);
    return () => clearTimeout(timer);
  }, [rows]);
}

function isDueSoon({ status, next_attempt_at: at }: Delivery): boolean {
  return status === 'pending' && (at === null || new Date(at).getTime() - Date.now() < SOON_MS);
}
