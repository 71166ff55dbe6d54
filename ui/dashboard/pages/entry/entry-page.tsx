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
  /** A text that says what the page is for, and what to do. */
  readonly lead?: string | undefined;
  /** A text that says that the form is refused, shown when no password is taken. */
  readonly refusal?: string;
}

interface EntryPageProps {
  /** Returns the texts. @param entry undefined while the ways to sign in are not known yet */
  readonly wordsOf: (entry: Entry | undefined) => Words;
  /** Renders the content, which depends on the ways to sign in. */
  readonly children: (entry: Entry) => ComponentChildren;
}

/** The frame of the pages for users who have not signed in. */
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
      {value?.data.insecure && refusal && <Insecure refusal={refusal} />}
      {value === undefined && (error ? <Failure error={error} onRetry={reload} /> : <Skeleton rows={2} />)}
      {value && children(value.data)}
    </main>
  );
}

/** Says why no password is taken: by the address that the service is told, which a proxy may serve by HTTPS nevertheless. */
function Insecure({ refusal }: { readonly refusal: string }) {
  const isEncrypted = location.protocol === 'https:';
  const setting = isEncrypted ? `SVC_BASE_URL=${document.baseURI.replace(/\/$/, '')}` : 'SVC_ALLOW_HTTP=on';
  return (
    <Note tone="warn" title={t(isEncrypted ? 'base_url_http' : 'insecure')}>
      <p>{isEncrypted ? t('base_url_refused') : refusal}</p>
      <p>
        {t(isEncrypted ? 'base_url_hint' : 'insecure_hint')} <code>{setting}</code>.
      </p>
    </Note>
  );
}

interface ByProviderProps {
  readonly entry: Entry;
  /** The path to go to after the sign-in, below the base. */
  readonly back: string;
}

/** The link to the identity provider, if one can be used, and the divider between it and the form for passwords. */
export function ByProvider({ entry: { oidc, password, insecure }, back }: ByProviderProps) {
  if (oidc === null || insecure) return null;
  return (
    <>
      <OidcLink name={oidc.name} back={back} class={password ? 'btn big' : 'btn primary big'} />
      {password && <p class="or">{t('or')}</p>}
    </>
  );
}
