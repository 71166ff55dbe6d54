import type { ComponentChildren } from 'preact';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { Note } from '../../components/note.tsx';
import { OidcLink } from '../../components/oidc-link.tsx';
import { Heading } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useResource } from '../../hooks/use-resource.ts';
import { ENTRY, type Entry, type One } from '../../wire.ts';
import { t } from './texts.ts';

interface EntryPageProps {
  readonly title: string;
  /** What is shown depends on how people sign in here. */
  readonly children: (entry: Entry) => ComponentChildren;
}

/** The page of somebody who has not signed in. */
export function EntryPage({ title, children }: EntryPageProps) {
  const { value, error, reload } = useResource<One<Entry>>(ENTRY);
  return (
    <main class="entry">
      <p class="entry-logo">
        <Icon name="plug" />
      </p>
      <Heading>{title}</Heading>
      {value?.data.insecure && (
        <Note tone="warn" title={t('insecure')}>
          <p>{t('insecure_hint')}</p>
        </Note>
      )}
      {value === undefined && (error ? <Failure error={error} onRetry={reload} /> : <Skeleton rows={2} />)}
      {value && children(value.data)}
    </main>
  );
}

interface ByProviderProps {
  readonly entry: Entry;
  /** Where to go afterwards, below the base. */
  readonly back: string;
}

/** The identity provider, where there is one, and what divides it from the form for those with a password. */
export function ByProvider({ entry: { oidc, password }, back }: ByProviderProps) {
  if (oidc === null) return null;
  return (
    <>
      <OidcLink name={oidc.name} back={back} class="btn big" />
      {password && <p class="or">{t('or')}</p>}
    </>
  );
}
