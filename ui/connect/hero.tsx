import { Logo } from '../kit/logo.tsx';
import type { ConnectForm } from '../kit/wire.ts';
import { useWindow } from './context.ts';

/** The logos of both ends of the connection; one of them if nobody has said who the application is. */
export function Hero({ form }: { readonly form: ConnectForm }) {
  const { window, app } = useWindow();
  const { name = null, logo_url: url = null } = window.state.session?.brand ?? {};
  return (
    <div class="hero">
      {(name ?? url) !== null && (
        <>
          <Logo name={app} url={url} size="l" isOwn />
          <i aria-hidden="true" />
        </>
      )}
      <Logo name={form.display_name} url={form.logo_url} size="l" />
    </div>
  );
}
