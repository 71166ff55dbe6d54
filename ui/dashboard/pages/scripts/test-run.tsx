import { useState } from 'preact/hooks';
import { useApp, useEnvironment } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { useResource } from '../../app/use-resource.ts';
import { Card } from '../../components/card.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { durationText } from '../../components/times.ts';
import { useForm } from '../../components/use-form.ts';
import { connectionName } from '../../components/whose.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { TestReport } from './test-report.tsx';
import { t } from './texts.ts';

type Tested = Reply<'testScript'>['data'];

interface TestRunProps {
  readonly path: string;
  readonly integration: string;
  readonly event: string;
  readonly version: number;
}

/** A form that runs the shown version once, for a chosen connection. */
export function TestRun({ path, integration, event, version }: TestRunProps) {
  const { client } = useApp();
  const [tested, setTested] = useState<Tested | undefined>();
  const isWebhook = event === 'on-webhook';
  const form = useForm({
    initial: { connection_id: '', type: '', payload: '{}' },
    check: ({ connection_id: id, payload }) => ({
      ...(id.trim() === '' && { connection_id: t('test_connection_missing') }),
      ...(isWebhook && !isJson(payload) && { payload: t('test_payload_wrong') }),
    }),
    async send({ connection_id: id, type, payload }) {
      setTested(undefined);
      const webhook = isWebhook ? { webhook: { type: type.trim(), payload: JSON.parse(payload) } } : {};
      const body = { connection_id: id.trim(), version, ...webhook };
      setTested((await client.send<Reply<'testScript'>>('POST', `${path}/test`, body)).data);
    },
  });
  return (
    <Card title={t('test')} aside={tested && <Ended {...tested} />}>
      <div class="stack">
        <p class="soft">{t('test_hint')}</p>
        <Form form={form}>
          <TextField form={form} name="connection_id" label={t('test_connection')} list="connections" isCode />
          <Connections integration={integration} search={form.values.connection_id} />
          {isWebhook && (
            <>
              <TextField form={form} name="type" label={t('test_type')} isOptional isCode />
              <TextField form={form} name="payload" label={t('test_payload')} rows={6} isCode />
            </>
          )}
          <div class="actions">
            <button type="submit" class="btn" disabled={form.isSending}>
              {t('test_start', { version })}
            </button>
          </div>
        </Form>
        {tested && <TestReport {...tested} />}
      </div>
    </Card>
  );
}

/** Suggests the newest connections of the integration whose ID or name contains the typed text. */
function Connections({ integration, search }: { readonly integration: string; readonly search: string }) {
  const { name } = useEnvironment();
  const query = new URLSearchParams({ integration, ...(search.trim() !== '' && { search: search.trim() }) });
  const { value } = useResource<Reply<'listConnectionRows'>>(`api/ui/e/${encodeURIComponent(name)}/connection-rows?${query}`);
  return (
    <datalist id="connections">
      {value?.data.map((one) => (
        <option key={one.connection_id} value={one.connection_id}>
          {connectionName(one)}
        </option>
      ))}
    </datalist>
  );
}

function Ended({ status, cause, duration_ms: ms }: Tested) {
  return (
    <span class="line-up" role="status">
      <OutcomeBadge status={status} cause={cause} />
      <span class="small soft num">{durationText(ms)}</span>
    </span>
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
