import type { ComponentChildren } from 'preact';

interface EmptyProps {
  readonly title: string;
  /** What will appear here, and when. */
  readonly hint?: string;
  /** What to do about it. */
  readonly children?: ComponentChildren;
}

/** Nothing is here yet, or nothing matches. */
export function Empty({ title, hint, children }: EmptyProps) {
  return (
    <div class="empty">
      <p class="strong">{title}</p>
      {hint && <p class="soft">{hint}</p>}
      {children && <div class="actions">{children}</div>}
    </div>
  );
}
