import type { ComponentChildren } from 'preact';
import type { ScriptEvent } from '../../../../core/scripts/event.ts';
import { MAX_SOURCE_BYTES } from '../../../../core/scripts/source-fault.ts';
import { DEFAULT_LIMITS } from '../../../../scripts-runtime/limits.ts';
import TYPES, { type DeclaredMember } from '../../../../scripts-runtime/script.d.ts?members';
import { Card } from '../../components/card.tsx';
import { figure } from '../../components/figure.ts';
import { KeyValues } from '../../components/key-values.tsx';
import { t } from './texts.ts';

/** The types of what the members of `svc` take and give, which are shown on request. */
const FURTHER = ['ProxyRequest', 'ProxyResponse', 'ScriptError'];

/** What the author of a script has to know, beside the editor: the event, the declarations of what a script gets, the limits. */
export function Reference({ event }: { readonly event: ScriptEvent }) {
  const isWebhook = event === 'on-webhook';
  return (
    <Card title={t('guide')} aside={<a href="docs/scripts">{t('guide_open')}</a>}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also without a mouse */}
      <section class="stack reference" aria-label={event} tabIndex={0}>
        <Part title={t('runs_when')}>
          <p>{t(`when_${event}`)}</p>
        </Part>
        <Part title={t('fails_when')}>
          <p>{t(`fails_${event}`)}</p>
        </Part>
        <Part title={t('given')}>
          <p>{t(isWebhook ? 'given_event' : 'given_svc')}</p>
          {isWebhook && <Members type="WebhookEvent" />}
          {isWebhook && <p>{t('subscriptions')}</p>}
        </Part>
        <Part title={t('returns')}>
          <p>{t(event === 'validate-connection' ? 'returns_refusal' : 'returns_nothing')}</p>
        </Part>
        <Part title={t('offers', { name: 'svc' })}>
          <Members type="Svc" />
          {FURTHER.map((type) => (
            <details key={type}>
              <summary>
                <code>{type}</code>
              </summary>
              <Members type={type} />
            </details>
          ))}
        </Part>
        <Part title={t('limits')}>
          <Limits />
        </Part>
      </section>
    </Card>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="stack tight">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Members({ type }: { readonly type: string }) {
  return (
    <dl class="members">
      {TYPES[type]?.map(({ name, code, text }: DeclaredMember) => (
        <div key={name}>
          <dt>
            <code>{code}</code>
          </dt>
          <dd>{withCode(text)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns a comment with what stands between backquotes as code. */
function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

function Limits() {
  const { timeoutMs, memoryMb, calls, openCalls, logLines } = DEFAULT_LIMITS;
  return (
    <KeyValues
      rows={{
        [t('limit_time')]: t('limit_seconds', { count: timeoutMs / 1000, setting: 'SVC_SCRIPT_TIMEOUT_MS' }),
        [t('limit_memory')]: t('limit_megabytes', { count: memoryMb, setting: 'SVC_SCRIPT_MEMORY_MB' }),
        [t('limit_source')]: t('limit_kilobytes', { count: MAX_SOURCE_BYTES / 1024 }),
        [t('limit_calls')]: t('limit_calls_of', { count: figure(calls), open: openCalls }),
        [t('limit_log')]: t('limit_lines', { count: logLines }),
      }}
    />
  );
}
