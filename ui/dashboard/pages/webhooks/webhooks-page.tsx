import type { ComponentChildren } from 'preact';
import { useEnvironment } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { Page } from '../../components/page.tsx';
import { t } from './texts.ts';

const PARTS = ['sent', 'received', 'endpoints', 'inbox'] as const;
export type Part = (typeof PARTS)[number];

interface WebhooksPageProps {
  readonly part: Part;
  readonly lead?: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The frame around the parts of an environment's webhooks. Production has no inbox. */
export function WebhooksPage({ part, lead, actions, children }: WebhooksPageProps) {
  const { name, is_production: isProduction } = useEnvironment();
  const parts = PARTS.filter((one) => one !== 'inbox' || !isProduction);
  const tabs = parts.map((one) => ({
    href: pathOf(['e', name, 'webhooks', one]),
    text: t(`part_${one}`),
    isCurrent: one === part,
  }));
  return (
    <Page title={t('heading')} section={t(`part_${part}`)} tabs={tabs} lead={lead} actions={actions}>
      {children}
    </Page>
  );
}
