import { useState } from 'preact/hooks';
import { monogram, tintOf } from '../../shared/brand.ts';

const TINTS = 7;

interface LogoProps {
  /** Of the integration, the company or the provider. */
  readonly name: string;
  /** Relative to the base, e.g. `logos/github.svg`. */
  readonly url: string | null;
  readonly size?: 's' | '' | 'l';
}

/** A face beside a name; letters where there is no picture, or it does not come. */
export function Logo({ name, url, size = '' }: LogoProps) {
  const [broken, setBroken] = useState<string | undefined>();
  if (url === null || broken === url) {
    return (
      <span class={`logo ${size} t${tintOf(name, TINTS)}`} aria-hidden="true">
        {monogram(name)}
      </span>
    );
  }
  return (
    <span class={`logo ${size}`}>
      <img src={url} alt="" loading="lazy" decoding="async" width={20} height={20} onError={() => setBroken(url)} />
    </span>
  );
}
