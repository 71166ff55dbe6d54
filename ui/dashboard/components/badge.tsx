/** What a state means, whatever it is called. */
export type Tone = 'ok' | 'warn' | 'bad' | 'idle';

/** A state: colour, word and dot. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
