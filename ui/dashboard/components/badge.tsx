import type { ComponentChildren } from 'preact';
import type { Tone } from './tone.ts';

/** A badge that shows a state by colour, word and dot. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
