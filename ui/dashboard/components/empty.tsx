import type { ComponentChildren } from 'preact';

interface EmptyProps {
  readonly title: string;
  /** A text that says what will appear here, and when. */
  readonly hint?: ComponentChildren;
  /** Links or buttons for what the user can do about it. */
  readonly children?: ComponentChildren;
}

/** The state of a list that has nothing yet, or nothing that matches. */
export function Empty({ title, hint, children }: EmptyProps) {
  return (
    <div class="empty">
      <p class="strong">{title}</p>
      {hint && <p class="soft">{hint}</p>}
      {children && <div class="actions">{children}</div>}
    </div>
  );
}
