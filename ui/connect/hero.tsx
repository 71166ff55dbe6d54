import { Logo } from '../kit/logo.tsx';
import type { ConnectForm } from '../kit/wire.ts';
import { useWindow } from './context.ts';

/**
 * The logos of the application and the integration, or only the integration's if neither the application's name nor its logo is
 * known.
 */
export function Hero({ form }: { readonly form: ConnectForm }) {
  const { window } = useWindow();
  const { name = null, logo_url: url = null } = window.state.session?.brand ?? {};
  return (
    <div class="hero">
      {(name ?? url) !== null && (
        <>
          <Logo name={name ?? ''} url={url} size="l" isOwn />
          <i aria-hidden="true" />
        </>
      )}
      <Logo name={form.display_name} url={form.logo_url} size="l" />
    </div>
  );
}
