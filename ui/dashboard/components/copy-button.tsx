import { useEffect, useState } from 'preact/hooks';
import { t } from '../app/texts/en.ts';
import { Icon } from './icon.tsx';

const SHOWN_MS = 2_000;

interface CopyProps {
  readonly text: string;
  /** What is copied, for those who only hear the button. */
  readonly what: string;
  /** With a word beside the picture. */
  readonly isWide?: boolean;
  /** That word. Default: "Copy". */
  readonly verb?: string;
  /** It is what the page is about. */
  readonly isPrimary?: boolean;
}

/** Copies a text; the button itself says that it has. */
export function CopyButton({ text, what, isWide = false, isPrimary = false, verb = t('copy') }: CopyProps) {
  const [outcome, setOutcome] = useState<'copied' | 'copy_failed' | undefined>();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('copy_failed'),
    );
  return (
    <>
      <button
        type="button"
        class={isPrimary ? 'btn primary' : isWide ? 'btn' : 'btn quiet tiny'}
        aria-label={isWide ? undefined : t('copy_what', { what })}
        title={isWide ? undefined : t(outcome ?? 'copy')}
        onClick={() => void copy()}
      >
        <Icon name={outcome === 'copied' ? 'tick' : 'copy'} />
        {isWide && (outcome ? t(outcome) : verb)}
      </button>
      <span class="sr" role="status">
        {outcome && t(outcome)}
      </span>
    </>
  );
}

/** An ID or a secret, which one copies rather than reads. */
export function Copyable({ text, what }: Pick<CopyProps, 'text' | 'what'>) {
  return (
    <span class="copyable">
      <code title={text}>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}
