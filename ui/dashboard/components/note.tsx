import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

interface NoteProps {
  readonly tone: 'bad' | 'warn' | 'plain';
  readonly title?: string;
  readonly children?: ComponentChildren;
  /** Read out at once when it appears. Default: what is bad. */
  readonly isAlert?: boolean;
}

/** What happened, then what to do. */
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
