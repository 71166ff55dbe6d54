import { monogram, tintOf } from '../../shared/brand.ts';

const TINTS = 7;

/** A person's face, where nobody has sent one. */
export function Monogram({ name, size = '' }: { readonly name: string; readonly size?: 's' | '' | 'l' }) {
  return (
    <span class={`logo round ${size} t${tintOf(name, TINTS)}`} aria-hidden="true">
      {monogram(name)}
    </span>
  );
}
