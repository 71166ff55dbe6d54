import { useState } from 'preact/hooks';
import { useEnvironmentPath } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
import { useResource } from '../../app/use-resource.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Failure } from '../../components/failure.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { t } from './texts.ts';

/** The payload of a webhook, which is loaded when the user opens it. */
export function Payload({ id }: { readonly id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="small soft">{t('show_payload')}</summary>
      {isOpen && <Loaded id={id} />}
    </details>
  );
}

function Loaded({ id }: { readonly id: string }) {
  const { value, error, reload } = useResource<One<Reply<'getWebhookMessage'>['data']>>(
    `${useEnvironmentPath()}/webhook-messages/${encodeURIComponent(id)}`,
  );
  if (value === undefined) return error ? <Failure error={error} onRetry={reload} /> : <Skeleton rows={2} />;
  return <CodeBlock label={t('show_payload')} snippets={{ JSON: JSON.stringify(value.data.payload, null, 2) }} />;
}
