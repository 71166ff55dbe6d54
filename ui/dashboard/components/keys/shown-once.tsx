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
  /** Of the key, or words for it. */
  readonly name: string;
  readonly secret: string;
  /** Default: it opens everything in its environment. */
  readonly scopes?: readonly string[];
  readonly onDone: () => void;
}

/** A key that was just made: no other response has its secret, so nothing but the button closes this. */
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

/** A call that changes nothing, as a command with the key in it; nothing where the key may make none. */
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
