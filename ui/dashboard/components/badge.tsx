import type { Tone } from './tone.ts';

/** A state: colour, word and dot. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
