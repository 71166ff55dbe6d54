import { useMe } from '../../app/context.ts';
import { CodeBlock } from '../code-block.tsx';
import { CopyButton } from '../copy-button.tsx';
import { Dialog } from '../dialog.tsx';
import { CALLS } from '../snippets/calls.ts';
import { curlWith } from '../snippets/languages.ts';
import { isGranted, type Plane } from './plane.ts';
import { t } from './texts.ts';

interface ShownOnceProps {
  readonly variable: Plane['variable'];
  /** The name of the key, or a description of it. */
  readonly name: string;
  readonly secret: string;
  /** The scopes of the key. Default: everything in its environment. */
  readonly scopes?: readonly string[];
  readonly onDone: () => void;
}

/** Shows a newly created key. Its secret is shown only this once, so only the button closes the dialog. */
export function ShownOnce({ variable, name, secret, scopes = ['environment:*'], onDone }: ShownOnceProps) {
  return (
    <Dialog title={t('key_once')} onClose={() => undefined}>
      <div class="stack">
        <p class="wrap">{name}</p>
        <code class="code">{secret}</code>
        <div class="actions">
          <CopyButton text={secret} what={t('the_key')} verb={t('copy_key')} isWide />
          <a class="btn" download=".env" href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${variable}=${secret}\n`)}`}>
            {t('download_env')}
          </a>
        </div>
        <TryIt secret={secret} scopes={scopes} />
        <div class="actions end">
          <button type="button" class="btn primary" onClick={onDone}>
            {t('i_saved_it')}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** Shows a read-only call as a command that contains the key; nothing when the key may not make such a call. */
function TryIt({ secret, scopes }: Required<Pick<ShownOnceProps, 'secret' | 'scopes'>>) {
  const { base_url: baseUrl } = useMe();
  const name = (['integrations', 'connections'] as const).find((one) => isGranted(scopes, `environment:${one}:list`));
  if (name === undefined) return null;
  return (
    <section class="stack tight" aria-label={t('try_it')}>
      <p class="label">{t('try_it')}</p>
      <CodeBlock label={t('try_it')} snippets={{ curl: curlWith(secret, CALLS[name](), { baseUrl }) }} />
    </section>
  );
}
