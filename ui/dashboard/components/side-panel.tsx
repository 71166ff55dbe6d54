import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ApiError } from '../../kit/api-error.ts';
import { t } from '../app/texts/en.ts';
import { Failure } from './failure.tsx';
import { Icon } from './icon.tsx';
import { Skeleton } from './skeleton.tsx';

interface SidePanelProps {
  /** The key of what is shown. The panel takes the focus whenever it changes. */
  readonly id: string;
  /** What is shown in this panel, for screen readers, and as the heading while it is loaded. */
  readonly label: string;
  readonly title: string | undefined;
  /** The text that says that the item does not exist. */
  readonly gone: string;
  /** The title of other failures. Default: a text that something could not be loaded. */
  readonly failed?: string;
  readonly error: ApiError | undefined;
  readonly onRetry: () => void;
  readonly onClose: () => void;
  /** The content; undefined while it is loaded. */
  readonly children: ComponentChildren;
}

/** An item beside its list, so that one can be read after another. It takes the focus; Escape closes it. */
export function SidePanel({ id, label, title, gone, failed, error, onRetry, onClose, children }: SidePanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [id]);
  return (
    <aside class="panel" aria-label={label} onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <div class="panel-head">
        <h2 ref={heading} tabIndex={-1} class="grow wrap">
          {title ?? label}
        </h2>
        <button type="button" class="btn quiet icon" aria-label={t('close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {children === undefined && error === undefined && <Skeleton rows={6} />}
      {error?.status === 404 && <p>{gone}</p>}
      {error && error.status !== 404 && (
        <Failure error={error} {...(failed !== undefined && { title: failed })} onRetry={onRetry} />
      )}
      {children}
    </aside>
  );
}
