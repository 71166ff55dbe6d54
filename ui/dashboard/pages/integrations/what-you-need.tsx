import { httpsOnly } from '../../../shared/link.ts';
import { Card } from '../../components/card.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import type { Provider, Setup } from './app-form.ts';
import { totalOf } from './connections-link.tsx';
import { t } from './texts.ts';

interface WhatYouNeedProps {
  readonly provider: Provider;
  readonly setup: Setup;
}

/** What to register where, and what is known of the provider. */
export function WhatYouNeed({ provider, setup }: WhatYouNeedProps) {
  const hasApp = setup.app.includes('client_id') || setup.app.includes('app_id');
  const guide = textAt(provider, 'setup_guide_url');
  const docs = textAt(provider, 'docs');
  const proven = t(`proof_${provider.proof.level}_hint`);
  return (
    <div class="stack">
      <Card title={t('need')}>
        {hasApp ? (
          <ol class="steps">
            <li>
              <p>{t('need_register', { name: provider.display_name })}</p>
              {guide && <Outside href={guide}>{t('need_console')}</Outside>}
            </li>
            <li>
              <p>{t('need_callback')}</p>
              <Copyable text={setup.callback_url} what={t('callback_url')} />
            </li>
            <li>
              <p>{t('need_copy')}</p>
            </li>
          </ol>
        ) : (
          <p>{provider['sandbox'] === true ? t('need_sandbox') : t('need_nothing')}</p>
        )}
        <p class="links">
          {docs && <Outside href={docs}>{t('provider_docs')}</Outside>}
          <a href="docs">{t('our_guide')}</a>
        </p>
      </Card>
      <Card title={t('known')}>
        <KeyValues
          rows={{
            [t('proof')]: provider.proof.at === null ? proven : t('proof_at', { proof: proven, at: provider.proof.at }),
            [t('heading')]: String(setup.integrations),
            [t('connections_title')]: t('healthy_of', {
              healthy: figure(setup.connections.healthy),
              total: figure(totalOf(setup.connections)),
            }),
          }}
        />
      </Card>
    </div>
  );
}

function figure(count: number): string {
  return new Intl.NumberFormat('en').format(count);
}

function textAt(provider: Provider, member: string): string | undefined {
  const value = provider[member];
  return typeof value === 'string' ? (httpsOnly(value) ?? undefined) : undefined;
}

export function Outside({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children} <span aria-hidden="true">↗</span>
      <span class="sr"> {t('opens_new_tab')}</span>
    </a>
  );
}
