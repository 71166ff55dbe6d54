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
  /** The operator's app is used, which is registered. */
  readonly isShared: boolean;
}

/** What to register where, and what is known of the provider. */
export function WhatYouNeed({ provider, setup, isShared }: WhatYouNeedProps) {
  const hasApp = !isShared && needsApp(setup);
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
              {guide && <Outside href={guide}>{t('need_guide')}</Outside>}
            </li>
            {setup.callback_url !== null && (
              <li>
                <p>{t('need_callback')}</p>
                <Copyable text={setup.callback_url} what={t('callback_url')} />
              </li>
            )}
            <li>
              <p>{t('need_copy')}</p>
            </li>
          </ol>
        ) : (
          <p>{t(nothingNeeded(provider, isShared))}</p>
        )}
        {docs && (
          <p class="links">
            <Outside href={docs}>{t('provider_docs')}</Outside>
          </p>
        )}
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

function needsApp({ app }: Setup): boolean {
  return app.includes('client_id') || app.includes('app_id');
}

function nothingNeeded(provider: Provider, isShared: boolean) {
  if (provider['sandbox'] === true) return 'need_sandbox';
  return isShared ? 'need_shared' : 'need_nothing';
}

function figure(count: number): string {
  return new Intl.NumberFormat('en').format(count);
}

/** An address in the definition, if it is one of the web. */
export function textAt(provider: Provider, member: string): string | undefined {
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
