import { Logo } from '../shared/logo.tsx';
import type { ConnectForm } from '../shared/wire.ts';
import { useWindow } from './context.ts';

/** Both ends of the connection. */
export function Hero({ form }: { readonly form: ConnectForm }) {
  const { window, app } = useWindow();
  const { session } = window.state;
  return (
    <div class="hero">
      <Logo name={app} url={session?.brand.logo_url ?? null} size="l" isOwn />
      <i aria-hidden="true" />
      <Logo name={form.display_name} url={form.logo_url} size="l" />
    </div>
  );
}
