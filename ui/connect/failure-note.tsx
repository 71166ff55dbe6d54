import type { ConnectForm } from '../kit/wire.ts';
import { useWindow } from './context.ts';
import { textsOfFailure } from './flow/failures.ts';
import type { Failure } from './flow/state.ts';
import { Icon } from './icon.tsx';

/** Above a form: why the attempt before did not work, in our words and in those of the service. */
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
