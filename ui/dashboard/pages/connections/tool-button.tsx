import { Icon, type IconName } from '../../components/icon.tsx';
import type { BulkWork } from './use-bulk-work.ts';

interface ToolButtonProps {
  readonly icon: IconName;
  /** The word of the button, which a phone shows to screen readers only. */
  readonly text: string;
  readonly work: BulkWork;
  readonly isDangerous?: boolean;
  readonly onClick: () => void;
}

/** A button of the toolbar. While work is under way it does nothing, but keeps the focus. */
export function ToolButton({ icon, text, work, isDangerous = false, onClick }: ToolButtonProps) {
  const isBusy = work.progress !== undefined;
  return (
    <button
      type="button"
      class={isDangerous ? 'btn quiet danger' : 'btn quiet'}
      aria-disabled={isBusy || undefined}
      onClick={() => !isBusy && onClick()}
    >
      <Icon name={icon} />
      <span class="word">{text}</span>
    </button>
  );
}
