import { t } from '../app/texts/en.ts';

interface OidcLinkProps {
  /** Of the identity provider. */
  readonly name: string;
  /** Where to go afterwards, below the base. */
  readonly back: string;
  /** Being signed in there already is not enough. */
  readonly isAnew?: boolean;
  readonly class: string;
}

/** Leaves for the identity provider, and comes back signed in. */
export function OidcLink({ name, back, isAnew = false, class: look }: OidcLinkProps) {
  const { pathname, search } = new URL(back, document.baseURI);
  const query = new URLSearchParams({ return: pathname + search, ...(isAnew && { anew: 'true' }) });
  return (
    <a class={look} href={`api/ui/oidc/start?${query}`}>
      {t('continue_with', { name })}
    </a>
  );
}
