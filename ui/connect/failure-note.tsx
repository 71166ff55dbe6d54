import type { ConnectForm } from '../kit/wire.ts';
import { useWindow } from './context.ts';
import { textsOfFailure } from './flow/failures.ts';
import type { Failure } from './flow/state.ts';
import { Icon } from './icon.tsx';

/** Says above a form why the previous attempt failed, in the window's own text and with the message that the failure contains. */
export function FailureNote({ failure, form }: { readonly failure: Failure; readonly form: ConnectForm }) {
  const { t } = useWindow();
  return (
    <div class="note bad" role="alert">
      <Icon name="warn" />
      <div>
        <p>{t(textsOfFailure(failure.code, form).text, { name: form.display_name })}</p>
        {failure.message && <p dir="auto">{failure.message}</p>}
      </div>
    </div>
  );
}
