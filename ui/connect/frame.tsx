import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Logo } from '../kit/logo.tsx';
import { useWindow } from './context.ts';
import { returnAddress } from './flow/return-address.ts';
import { Icon } from './icon.tsx';
import { ForWhom, personOf } from './whom.tsx';

/**
 * The frame around every screen: the application's name and logo, the person who connects (the start screen says this beside its
 * heading), and the Back and Close buttons.
 */
export function Frame({ isBare, children }: { readonly isBare: boolean; readonly children: ComponentChildren }) {
  const { window, t } = useWindow();
  const { screen, session, isOffline } = window.state;
  const brand = session?.brand;
  const name = isBare ? null : brand?.name;
  // A page without a return URL is closed by closing its tab.
  const canClose = window.mode === 'frame' || returnAddress(session?.return_url, 'closed') !== null;
  const saysWhom = screen.at !== 'start' && personOf(session) !== '';
  // An empty head would be a gap above the screen. While everything is loading, it is not known yet what the head will say.
  const hasHead = screen.at === 'loading' || window.canGoBack || canClose || name || saysWhom;
  return (
    <div class="win">
      {hasHead && (
        <header class="bar">
          {window.canGoBack && (
            <button type="button" class="icon back" aria-label={t('back')} onClick={() => window.back()}>
              <Icon name="back" flips />
            </button>
          )}
          <div class="who">
            {name && <Logo name={name} url={brand?.logo_url ?? null} size="s" isOwn />}
            <div>
              {name && (
                <span class="clip" title={name}>
                  {name}
                </span>
              )}
              {saysWhom && <ForWhom isPlain />}
            </div>
          </div>
          {canClose && (
            <button type="button" class="icon" aria-label={t('close')} onClick={() => window.requestClose()}>
              <Icon name="close" />
            </button>
          )}
        </header>
      )}
      <p class="note warn offline" role="status" hidden={!isOffline}>
        {isOffline && t('offline')}
      </p>
      {children}
    </div>
  );
}

interface HeadingProps {
  readonly children: string;
  readonly class?: string;
}

/**
 * The heading of a screen. It gets the focus when the screen appears, so that screen readers announce it, and becomes the page's
 * title. A heading with a long word is shown smaller.
 */
export function Heading({ children, class: name = '' }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = children;
  }, [children]);
  // Focused as the screen appears: later, it would take the focus from a field that the user has begun to fill in.
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <h1 ref={heading} tabIndex={-1} class={/\S{22}/.test(children) ? 'small' : name} dir="auto">
      {children}
    </h1>
  );
}

/** The bottom of a screen: its buttons, and a sentence that reassures the user. */
export function End({ children, foot }: { readonly children?: ComponentChildren; readonly foot?: string | undefined }) {
  return (
    <div class="end">
      {children}
      {foot && (
        <p class="foot">
          <Icon name="lock" />
          <span>{foot}</span>
        </p>
      )}
    </div>
  );
}
