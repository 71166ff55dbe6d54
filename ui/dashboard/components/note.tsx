import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

const ICONS = { bad: 'warn', warn: 'warn', ok: 'tick', plain: 'about' } as const;

interface NoteProps {
  readonly tone: 'bad' | 'warn' | 'ok' | 'plain';
  readonly title?: string;
  readonly children?: ComponentChildren;
  /** True when screen readers are to announce the note as soon as it appears. Default: true for the tone `bad`. */
  readonly isAlert?: boolean;
}

/** A note that says what happened, then what to do. */
export function Note({ tone, title, children, isAlert = tone === 'bad' }: NoteProps) {
  return (
    <div class={`note ${tone}`} role={isAlert ? 'alert' : undefined}>
      <Icon name={ICONS[tone]} />
      <div>
        {title && <b>{title}</b>}
        {children}
      </div>
    </div>
  );
}
