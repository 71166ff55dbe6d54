import { useState } from 'preact/hooks';
import { useMe, useParams } from '../app/context.ts';
import { t } from '../app/texts/en.ts';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { Field } from './field.tsx';
import { useAction } from './use-action.ts';

interface DestructiveDialogProps {
  /** The question, such as "Delete Jira?". */
  readonly title: string;
  /** A text that says what will be lost. It comes first in the dialog. */
  readonly consequence: string;
  /** The text of the button, such as "Delete integration". */
  readonly verb: string;
  /** The name of the object; in production the user has to type it. */
  readonly name: string;
  /** True when the name has to be typed in every environment. */
  readonly mustType?: boolean;
  readonly act: () => Promise<void>;
  readonly onClose: () => void;
}

/** A dialog that asks for a confirmation before something is lost. */
export function DestructiveDialog({ title, consequence, verb, name, mustType = false, act, onClose }: DestructiveDialogProps) {
  const { env } = useParams();
  const isTyped = useMe().environments.some(({ name: one, is_production: is }) => one === env && is) || mustType;
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const { run, isRunning, error } = useAction(async () => {
    await act();
    onClose();
  });
  const submit = (event: Event) => {
    event.preventDefault();
    const isRefused = isTyped && typed.trim() !== name.trim();
    setWrong(isRefused);
    if (!isRefused) void run();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" noValidate onSubmit={submit}>
        <p>{consequence}</p>
        {error && <Failure error={error} />}
        {isTyped && (
          <Field label={t('type_name', { name })} fault={isWrong ? t('type_name_wrong', { name }) : undefined}>
            {(attributes) => (
              <input
                {...attributes}
                class="input mono"
                autocomplete="off"
                spellcheck={false}
                value={typed}
                onInput={(event) => {
                  setTyped(event.currentTarget.value);
                  setWrong(false);
                }}
              />
            )}
          </Field>
        )}
        <div class="actions end">
          <button type="button" class="btn" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" class="btn primary danger" disabled={isRunning}>
            {verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
