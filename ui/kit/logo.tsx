import { useState } from 'preact/hooks';
import { monogram, tintOf } from './brand.ts';

const TINTS = 7;

type Size = 's' | '' | 'm' | 'l';

interface LogoProps {
  /** Of the integration, the company, the provider or the application. */
  readonly name: string;
  /** Relative to the base, e.g. `logos/github.svg`. */
  readonly url: string | null;
  readonly size?: Size;
  /** Of the application: as it is, without a margin. */
  readonly isOwn?: boolean;
}

/** A face beside a name; letters where there is no picture, or it does not come. */
export function Logo({ name, url, size = '', isOwn = false }: LogoProps) {
  const [broken, setBroken] = useState<string | undefined>();
  if (url === null || broken === url) return <Letters name={name} look={size} />;
  return (
    <span class={`logo ${size} ${isOwn ? 'own' : ''}`}>
      <img src={url} alt="" loading="lazy" decoding="async" width={20} height={20} onError={() => setBroken(url)} />
    </span>
  );
}

/** A person's face, where nobody has sent one. */
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
