import type { ComponentChildren } from 'preact';
import { Icon } from '../../components/icon.tsx';
import { Note } from '../../components/note.tsx';
import { Heading } from '../../components/page.tsx';
import { t } from './texts.ts';

interface EntryFrameProps {
  readonly title: string;
  readonly lead?: string;
  /** On plain HTTP, where others can listen. */
  readonly isInsecure?: boolean | undefined;
  readonly children: ComponentChildren;
}

/** The page of somebody who has not signed in. */
export function EntryFrame({ title, lead, isInsecure = false, children }: EntryFrameProps) {
  return (
    <main class="entry">
      <p class="entry-logo">
        <Icon name="plug" />
      </p>
      <Heading>{title}</Heading>
      {lead && <p class="soft">{lead}</p>}
      {isInsecure && (
        <Note tone="warn" title={t('insecure')}>
          <p>{t('insecure_hint')}</p>
        </Note>
      )}
      {children}
    </main>
  );
}
