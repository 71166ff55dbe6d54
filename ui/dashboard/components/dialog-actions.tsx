import { t } from '../app/texts/en.ts';

interface DialogActionsProps {
  /** The text of the button that submits the form. */
  readonly submit: string;
  readonly isSending: boolean;
  readonly onCancel: () => void;
}

/** The buttons at the end of a form in a dialog. */
export function DialogActions({ submit, isSending, onCancel }: DialogActionsProps) {
  return (
    <div class="actions end">
      <button type="button" class="btn" onClick={onCancel}>
        {t('cancel')}
      </button>
      <button type="submit" class="btn primary" disabled={isSending}>
        {submit}
      </button>
    </div>
  );
}
