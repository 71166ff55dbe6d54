import { useState } from 'preact/hooks';
import { monogram, tintOf } from '../../core/kit/monogram.ts';

const TINTS = 7;

type Size = 's' | '' | 'm' | 'l';

interface LogoProps {
  /** The name of the integration, the company, the provider or the application. */
  readonly name: string;
  /** The URL of the picture, relative to the base, e.g. `logos/github.svg`; null if there is none. */
  readonly url: string | null;
  readonly size?: Size;
  /** True for the application's own logo, which is shown unchanged, without a margin. */
  readonly isOwn?: boolean;
}

/** A logo beside a name; letters of the name if there is no picture, or it cannot be loaded. */
export function Logo({ name, url, size = '', isOwn = false }: LogoProps) {
  const [broken, setBroken] = useState<string | undefined>();
  if (url === null || broken === url) return <Letters name={name} look={size} />;
  return (
    <span class={`logo ${size} ${isOwn ? 'own' : ''}`}>
      <img src={url} alt="" loading="lazy" decoding="async" width={20} height={20} onError={() => setBroken(url)} />
    </span>
  );
}

/** The letters of a person's name, for a person without a picture. */
export function Monogram({ name, size = '' }: { readonly name: string; readonly size?: Size }) {
  return <Letters name={name} look={`round ${size}`} />;
}

function Letters({ name, look }: { readonly name: string; readonly look: string }) {
  return (
    <span class={`logo ${look} t${tintOf(name, TINTS)}`} aria-hidden="true">
      {monogram(name)}
    </span>
  );
}
