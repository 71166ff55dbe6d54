import type { ComponentChildren } from 'preact';
import { httpsOnly } from '../../../kit/link.ts';
import { Card } from '../../components/card.tsx';
import { Copyable } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { configFields, type Provider, type Setup } from './app-form.ts';
import { t } from './texts.ts';

interface WhatYouNeedProps {
  readonly provider: Provider;
  readonly setup: Setup;
  /** True when the operator's app is used, which is registered already. */
  readonly isShared: boolean;
}

/** Explains what the user has to register at the provider. */
export function WhatYouNeed({ provider, setup, isShared }: WhatYouNeedProps) {
  const hasApp = !isShared && setup.app_need !== 'none';
  return (
    <Card title={t('need')}>
      {hasApp && setup.app_need === 'optional' && <p>{t('need_optional')}</p>}
      {hasApp ? (
        <ol class="steps">
          <li>
            <p>{t('need_register', { name: provider.display_name })}</p>
            <SetupGuide provider={provider} />
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
        <NoApp provider={provider} setup={setup} isShared={isShared} />
      )}
    </Card>
  );
}

/** Says what is needed where no app has to be registered. */
function NoApp({ provider, setup, isShared }: WhatYouNeedProps) {
  if (provider['sandbox'] === true) return <DemoProvider setup={setup} />;
  if (isShared) return <p>{t('need_shared')}</p>;
  const titles = configFields(provider).flatMap(({ title, optional }) => (optional ? [] : [title]));
  if (titles.length > 0) return <p>{t('need_settings', { titles: titles.map((title) => `“${title}”`).join(', ') })}</p>;
  return <p>{t(setup.way === 'none' ? 'need_none' : 'need_entered')}</p>;
}

/** Says how people connect to the provider that the service plays itself. */
function DemoProvider({ setup }: { readonly setup: Setup }) {
  return (
    <div class="stack tight">
      <p>{t('need_sandbox')}</p>
      {setup.way === 'sign_in' && <p>{t('need_sandbox_sign_in')}</p>}
      {setup.asked.map(({ title, description }) => (
        <p key={title}>
          {title}: {description}
        </p>
      ))}
    </div>
  );
}

/** Returns a URL from the definition; undefined if there is none that uses HTTPS. */
function textAt(provider: Provider, member: string): string | undefined {
  const value = provider[member];
  return typeof value === 'string' ? (httpsOnly(value) ?? undefined) : undefined;
}

/** Leads to the page on which a developer registers an app, or learns how to. */
export function SetupGuide({ provider }: { readonly provider: Provider }) {
  const guide = textAt(provider, 'setup_guide_url');
  return guide === undefined ? null : <Outside href={guide}>{t('need_guide')}</Outside>;
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
