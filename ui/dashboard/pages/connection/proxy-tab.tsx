import { useState } from 'preact/hooks';
import { useApp, useMay, useMayHoldSecrets, useMe } from '../../app/context.ts';
import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import type { Address } from '../../components/reconnect-session.ts';
import { ResponseBody } from '../../components/response-body.tsx';
import { proxied } from '../../components/snippets/calls.ts';
import { snippetsOf } from '../../components/snippets/languages.ts';
import { durationText } from '../../components/times.ts';
import { useForm } from '../../components/use-form.ts';
import { CallEntry } from './call-entry.tsx';
import { readHeaderLines } from './header-lines.ts';
import type { Found } from './shown-connection.ts';
import { t } from './texts.ts';

type Answer = Reply<'tryProxy'>['data'];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map((value) => ({ value, label: value }));
const WITHOUT_BODY = ['GET', 'HEAD', 'OPTIONS'];

/** A form that sends one call through the proxy, as an application would. */
export function ProxyTab(found: Found) {
  const isDeveloper = useMay('developer');
  const mayCall = useMayHoldSecrets();
  const [answer, setAnswer] = useState<Answer | undefined>();
  const form = useCall(found, setAnswer);
  const requestId = answer?.request_id ?? form.error?.requestId;
  if (!mayCall) return <p class="soft">{t(isDeveloper ? 'try_admins' : 'try_forbidden')}</p>;
  return (
    <div class="stack">
      <Card title={t('try')}>
        <Form form={form}>
          <SelectField form={form} name="method" label={t('try_method')} choices={METHODS} />
          <TextField form={form} name="path" label={t('try_path')} help={t('try_path_help')} isCode />
          <TextField
            form={form}
            name="headers"
            label={t('try_headers')}
            help={t('try_headers_help')}
            rows={3}
            isOptional
            isCode
          />
          {!WITHOUT_BODY.includes(form.values.method) && (
            <TextField form={form} name="body" label={t('try_body')} help={t('try_body_help')} rows={6} isOptional isCode />
          )}
          <div class="actions">
            <button type="submit" class="btn primary" disabled={form.isSending}>
              {t('try_send')}
            </button>
          </div>
        </Form>
      </Card>
      <p class="sr" role="status">
        {answer && t('try_said', { status: answer.status, time: durationText(answer.duration_ms) })}
      </p>
      {answer && <Shown {...answer} />}
      {requestId && <CallEntry key={requestId} requestId={requestId} />}
      <FromCode address={found.address} {...form.values} />
    </div>
  );
}

function useCall({ address }: Found, show: (answer: Answer | undefined) => void) {
  const { client } = useApp();
  return useForm({
    initial: { method: 'GET', path: '/', headers: '', body: '' },
    check: ({ path, headers }) => {
      const read = readHeaderLines(headers);
      return {
        ...(path.trim() === '' && { path: t('try_path_missing') }),
        ...('line' in read && { headers: t('try_headers_wrong', { line: read.line }) }),
      };
    },
    async send({ method, path, headers, body }) {
      const read = readHeaderLines(headers);
      show(undefined);
      const call = {
        connection_id: address.id,
        provider_config_key: address.integration,
        method,
        path: path.trim(),
        headers: 'headers' in read ? read.headers : {},
        body: bodyOf({ method, body }) ?? null,
      };
      const to = pathOf(['api', 'ui', 'e', address.environment, 'proxy-try']);
      show((await client.send<Reply<'tryProxy'>>('POST', to, call)).data);
    },
  });
}

interface Typed {
  readonly method: string;
  readonly path: string;
  readonly headers: string;
  readonly body: string;
}

function bodyOf({ method, body }: Pick<Typed, 'method' | 'body'>): string | undefined {
  return body === '' || WITHOUT_BODY.includes(method) ? undefined : body;
}

/** Code for the same call in an application. Shows nothing while the headers are not valid, such as during typing. */
function FromCode({ address, method, path, headers, body }: Typed & { readonly address: Address }) {
  const { base_url: baseUrl } = useMe();
  const read = readHeaderLines(headers);
  if ('line' in read) return null;
  const values = { baseUrl, integration: address.integration, connectionId: address.id, path: path.trim() };
  const call = proxied(values, { method, headers: read.headers, body: bodyOf({ method, body }) });
  return (
    <Card title={t('try_code')}>
      <CodeBlock label={t('try_code')} snippets={snippetsOf(call, values)} />
    </Card>
  );
}

function Shown({ status, duration_ms: ms, headers, body, truncated }: Answer) {
  return (
    <Card
      title={t('try_response')}
      aside={
        <span class="line-up">
          <Badge tone={status < 400 ? 'ok' : 'bad'}>{String(status)}</Badge>
          <span class="small soft num">{durationText(ms)}</span>
        </span>
      }
    >
      <div class="stack">
        <ResponseBody body={body} truncated={truncated} />
        <details>
          <summary class="small soft">{t('try_headers')}</summary>
          <KeyValues rows={headers} />
        </details>
        <p class="small soft">{t('try_redacted')}</p>
      </div>
    </Card>
  );
}
