import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

interface NoteProps {
  readonly tone: 'bad' | 'warn' | 'plain';
  readonly title?: string;
  readonly children?: ComponentChildren;
  /** True when screen readers are to announce the note as soon as it appears. Default: true for the tone `bad`. */
  readonly isAlert?: boolean;
}

/** A note that says what happened, then what to do. */
export function Note({ tone, title, children, isAlert = tone === 'bad' }: NoteProps) {
  return (
    <div class={`note ${tone}`} role={isAlert ? 'alert' : undefined}>
      <Icon name={tone === 'plain' ? 'about' : 'warn'} />
      <div>
        {title && <b>{title}</b>}
        {children}
      </div>
    </div>
  );
}
