import { t } from '../app/texts/en.ts';

interface OidcLinkProps {
  /** The name of the identity provider. */
  readonly name: string;
  /** The path to go to after the sign-in, below the base. */
  readonly back: string;
  /** True to require a new sign-in even if the identity provider has a session. */
  readonly isAnew?: boolean;
  readonly class: string;
}

/** A link to the identity provider, which sends the user back once they are signed in. */
export function OidcLink({ name, back, isAnew = false, class: look }: OidcLinkProps) {
  const { pathname, search } = new URL(back, document.baseURI);
  const query = new URLSearchParams({ return: pathname + search, ...(isAnew && { anew: 'true' }) });
  return (
    <a class={look} href={`api/ui/oidc/start?${query}`}>
      {t('continue_with', { name })}
    </a>
  );
}
