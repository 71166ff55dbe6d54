import type { Account, Session } from '../kit/wire.ts';
import { useWindow } from './context.ts';

/** Returns the name and the e-mail address of an account, as far as they are known. */
export function wordsFor(account: Account | null | undefined): string {
  return [account?.name, account?.email].filter(Boolean).join(' · ');
}

/** Returns the person who connects; empty if nobody is named. */
export function personOf(session: Session | null): string {
  return session?.endUser?.email || session?.endUser?.display_name || '';
}

/** Says for whom the connection is, since a link works for anybody who opens it. */
export function ForWhom({ isPlain = false }: { readonly isPlain?: boolean }) {
  const { window, t } = useWindow();
  const who = personOf(window.state.session);
  if (who === '') return null;
  const [before = '', after = ''] = t('for_whom', { who: '\0' }).split('\0');
  // Isolated, so that the writing direction of a name does not rearrange the words around it.
  const words = (
    <span class={isPlain ? '' : 'clip'} title={who}>
      {before}
      <bdi>{who}</bdi>
      {after}
    </span>
  );
  if (isPlain) return <p class="small-text soft">{words}</p>;
  return (
    <span class="for">
      <i aria-hidden="true">{Array.from(who)[0]?.toLocaleUpperCase()}</i>
      {words}
    </span>
  );
}

/**
 * Says what a screen is about and, in a window that was opened by a link, who is asking. In an embedded window, that is obvious.
 */
export function Lead({ children }: { readonly children: string }) {
  const { window, t } = useWindow();
  return (
    <p class="lead">
      {window.mode === 'page' && `${t('link_asks')} `}
      {children}
    </p>
  );
}

/** Says until when a link is valid, and that it may be meant for somebody else. */
export function LinkFacts() {
  const { window, language, t } = useWindow();
  const { session } = window.state;
  if (window.mode === 'frame' || session === null) return null;
  const until = new Date(session.expires_at);
  const time = new Intl.DateTimeFormat(language.tag, { hour: 'numeric', minute: '2-digit' }).format(until);
  return (
    <p class="small-text soft mid link-facts">
      {personOf(session) && `${t('not_you')} `}
      <time dateTime={session.expires_at}>{t('valid_until', { time })}</time>
    </p>
  );
}
