import { useEffect, useState } from 'preact/hooks';
import { t } from '../app/texts/en.ts';
import { Icon } from './icon.tsx';

const SHOWN_MS = 2_000;

const ICONS = { copy: 'copy', copied: 'tick', copy_failed: 'warn' } as const;

interface CopyProps {
  readonly text: string;
  /** The name of the copied thing, for the accessible name of a button without a word. */
  readonly what: string;
  /** True when the button has a word beside its icon. */
  readonly isWide?: boolean;
  /** The word on the button. Default: "Copy". */
  readonly verb?: string;
  /** True when copying is the main action of the page. */
  readonly isPrimary?: boolean;
}

/** A button that copies a text, and then says itself whether it did. */
export function CopyButton({ text, what, isWide = false, isPrimary = false, verb = t('copy') }: CopyProps) {
  const [outcome, setOutcome] = useState<'copied' | 'copy_failed' | undefined>();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      // By plain http there is no clipboard at all.
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      setOutcome('copy_failed');
    }
  };
  return (
    <>
      <button
        type="button"
        class={isPrimary ? 'btn primary' : isWide ? 'btn' : 'btn quiet tiny'}
        aria-label={isWide ? undefined : t('copy_what', { what })}
        title={isWide ? undefined : t(outcome ?? 'copy')}
        onClick={() => void copy()}
      >
        <Icon name={ICONS[outcome ?? 'copy']} />
        {isWide && (outcome ? t(outcome) : verb)}
      </button>
      <span class="sr" role="status">
        {outcome && t(outcome)}
      </span>
    </>
  );
}

/** An ID or a secret, with a button that copies it. */
export function Copyable({ text, what }: Pick<CopyProps, 'text' | 'what'>) {
  return (
    <span class="copyable">
      <code title={text}>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}
