import { Icon } from '../shared/icon.tsx';
import { useWindow } from './context.ts';
import { textsOfFailure } from './core/failures.ts';
import type { Failure } from './core/state.ts';

/** Above a form: why the attempt before did not work, in our words and in those of the service. */
export function FailureNote({ failure, name }: { readonly failure: Failure; readonly name: string }) {
  const { t } = useWindow();
  return (
    <div class="note bad" role="alert">
      <Icon name="warn" />
      <div>
        <p>{t(textsOfFailure(failure.code).text, { name })}</p>
        {failure.message && <p dir="auto">{failure.message}</p>}
      </div>
    </div>
  );
}
