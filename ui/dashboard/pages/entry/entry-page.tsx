import type { ComponentChildren } from 'preact';
import { ENTRY, type Entry, type One } from '../../app/replies.ts';
import { useResource } from '../../app/use-resource.ts';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { Note } from '../../components/note.tsx';
import { OidcLink } from '../../components/oidc-link.tsx';
import { Heading } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { t } from './texts.ts';

interface Words {
  readonly title: string;
  /** What this is for, and what to do. */
  readonly lead?: string | undefined;
  /** That it is refused where the connection is not encrypted. */
  readonly refusal?: string;
}

interface EntryPageProps {
  /** Undefined: how people sign in here is not known yet. */
  readonly wordsOf: (entry: Entry | undefined) => Words;
  /** What is shown depends on how people sign in here. */
  readonly children: (entry: Entry) => ComponentChildren;
}

/** The page of somebody who has not signed in. */
export function EntryPage({ wordsOf, children }: EntryPageProps) {
  const { value, error, reload } = useResource<One<Entry>>(ENTRY);
  const { title, lead, refusal } = wordsOf(value?.data);
  return (
    <main class="entry">
      <p class="entry-logo">
        <Icon name="plug" />
      </p>
      <Heading>{title}</Heading>
      {value && lead && <p class="soft">{lead}</p>}
      {value?.data.insecure && refusal && (
        <Note tone="warn" title={t('insecure')}>
          <p>{refusal}</p>
          <p>
            {t('insecure_hint')} <code>SVC_ALLOW_HTTP=on</code>.
          </p>
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

/** The identity provider, where there is one that may be used, and what divides it from the form for those with a password. */
export function ByProvider({ entry: { oidc, password, insecure }, back }: ByProviderProps) {
  if (oidc === null || insecure) return null;
  return (
    <>
      <OidcLink name={oidc.name} back={back} class={password ? 'btn big' : 'btn primary big'} />
      {password && <p class="or">{t('or')}</p>}
    </>
  );
}
