import type { One } from '../replies.ts';
import { t } from '../texts/en.ts';
import { useResource } from '../use-resource.ts';

/** The number of connections that need attention. */
export function AttentionCount({ environment }: { readonly environment: string }) {
  const path = `api/ui/e/${encodeURIComponent(environment)}/connections-count`;
  const count = useResource<One<{ readonly needs_attention: number }>>(path).value?.data.needs_attention ?? 0;
  if (count === 0) return null;
  return (
    <span class="n">
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span class="sr">{t.bounded('need_attention', count)}</span>
    </span>
  );
}
