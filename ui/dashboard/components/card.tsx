import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface CardProps {
  readonly title: string;
  /** Content at the end of the card's head. */
  readonly aside?: ComponentChildren;
  /** True when the content has no padding: a table, a list of rows. */
  readonly isFlush?: boolean;
  readonly children: ComponentChildren;
}

/** A titled section of a page. */
export function Card({ title, aside, isFlush = false, children }: CardProps) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {isFlush ? children : <div class="body">{children}</div>}
    </section>
  );
}
