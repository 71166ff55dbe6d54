import type { ComponentChildren } from 'preact';
import { Icon } from '../../components/icon.tsx';
import { t } from './texts.ts';

interface StepProps {
  readonly title: string;
  readonly hint: string;
  readonly isDone: boolean;
  readonly children?: ComponentChildren;
}

/** Returns the CSS class of a step's main button. */
export function buttonClass(isPrimary: boolean): string {
  return isPrimary ? 'btn primary' : 'btn';
}

/** A step of the quick start, with what to do about it. */
export function Step({ title, hint, isDone, children }: StepProps) {
  return (
    <li class={isDone ? 'card step done' : 'card step'}>
      <span class="mark">
        {isDone && <Icon name="tick" />}
        <span class="sr">{t(isDone ? 'done' : 'open')}</span>
      </span>
      <div class="grow">
        <div>
          <h2>{title}</h2>
          <p class="soft">{hint}</p>
        </div>
        {children}
      </div>
    </li>
  );
}
