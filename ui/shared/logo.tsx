import { useState } from 'preact/hooks';
import { monogram, tintOf } from './brand.ts';

const TINTS = 7;

interface LogoProps {
  readonly name: string;
  readonly url: string | null;
  readonly size: 's' | '' | 'm' | 'l';
  /** Of the application: as it is, without a margin. */
  readonly isOwn?: boolean;
}

/** A face beside a name; letters where there is no picture, or it does not come. */
export function Logo({ name, url, size, isOwn = false }: LogoProps) {
  const [isBroken, setBroken] = useState(false);
  if (url === null || isBroken) {
    return (
      <span class={`logo ${size} t${tintOf(name, TINTS)}`} aria-hidden="true">
        {monogram(name)}
      </span>
    );
  }
  return (
    <span class={`logo ${size} ${isOwn ? 'own' : ''}`}>
      <img src={url} alt="" loading="lazy" decoding="async" width={20} height={20} onError={() => setBroken(true)} />
    </span>
  );
}
