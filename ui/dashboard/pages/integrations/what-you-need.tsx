import type { ComponentChildren } from 'preact';
import { httpsOnly } from '../../../kit/link.ts';
import { Card } from '../../components/card.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import type { Provider, Setup } from './app-form.ts';
import { t } from './texts.ts';

interface WhatYouNeedProps {
  readonly provider: Provider;
  readonly setup: Setup;
  /** True when the operator's app is used, which is registered already. */
  readonly isShared: boolean;
}

/** Explains what the user has to register at the provider. */
export function WhatYouNeed({ provider, setup, isShared }: WhatYouNeedProps) {
  const hasApp = !isShared && needsApp(setup);
  const guide = textAt(provider, 'setup_guide_url');
  return (
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
    </Card>
  );
}

function needsApp({ app }: Setup): boolean {
  return app.includes('client_id') || app.includes('app_id');
}

function nothingNeeded(provider: Provider, isShared: boolean) {
  if (provider['sandbox'] === true) return 'need_sandbox';
  return isShared ? 'need_shared' : 'need_nothing';
}

/** Returns a URL from the definition; undefined if there is none that uses HTTPS. */
function textAt(provider: Provider, member: string): string | undefined {
  const value = provider[member];
  return typeof value === 'string' ? (httpsOnly(value) ?? undefined) : undefined;
}

export function ProviderDocs({ provider }: { readonly provider: Provider }) {
  const docs = textAt(provider, 'docs');
  return docs === undefined ? null : <Outside href={docs}>{t('provider_docs')}</Outside>;
}

export function Outside({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  return (
    <a class="outside" href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <Icon name="out" />
      <span class="sr"> {t('opens_new_tab')}</span>
    </a>
  );
}
