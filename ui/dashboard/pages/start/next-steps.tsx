import type { ComponentChildren } from 'preact';
import { useMe } from '../../app/context.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import type { CallName } from '../../components/snippets/calls.ts';
import { embed, VERIFY } from '../../components/snippets/code.ts';
import type { Onboarding } from './onboarding.ts';
import { Snippet } from './snippet.tsx';
import { t } from './texts.ts';

/** The calls that a backend makes about connections, in the order in which they are needed. */
const OF_CONNECTIONS = ['list', 'read', 'reconnect', 'metadata', 'import'] as const satisfies readonly CallName[];

const GOING_LIVE = ['environment', 'clients', 'webhooks', 'backup'] as const;

/** Code for the user's application; shown once there is a connection, whose values it contains. */
export function NextSteps(found: Onboarding) {
  const { base_url: baseUrl } = useMe();
  if (found.connection === null) return null;
  // The example of an import contains credentials of this mode.
  const calls = OF_CONNECTIONS.filter((name) => name !== 'import' || found.connection?.auth_mode === 'OAUTH2');
  return (
    <section aria-labelledby="next" class="guide">
      <h2 id="next">{t('next')}</h2>
      <Topic title={t('next_embed')}>
        <CodeBlock label={t('copy_snippet')} snippets={{ HTML: embed(baseUrl) }} />
      </Topic>
      <Topic title={t('next_verify')}>
        <CodeBlock label={t('copy_snippet')} snippets={VERIFY} />
      </Topic>
      {calls.map((name) => (
        <Topic key={name} title={t(`next_${name}`)}>
          <Snippet name={name} {...found} />
        </Topic>
      ))}
      <Topic title={t('live')}>
        <ul>
          {GOING_LIVE.map((what) => (
            <li key={what}>{t(`live_${what}`)}</li>
          ))}
        </ul>
      </Topic>
      <p>
        <a href="docs/reference" target="_blank" rel="noreferrer">
          {t('next_reference')}
        </a>
      </p>
    </section>
  );
}

function Topic({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <details class="card step-topic">
      <summary>{title}</summary>
      {children}
    </details>
  );
}
