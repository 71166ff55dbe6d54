import type { FlowFailure } from '../authorization/flow-failure.ts';
import type { ServiceError } from '../errors.ts';
import { html, pageReply } from '../http/html.ts';
import type { Reply } from '../http/route.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 26rem; padding: 2rem; text-align: center; }
h1 { font-size: 1.25rem; }
.reference { color: GrayText; font-size: .8rem; }
`;

/** The page that a user sees at the end of an authorization. No script, nothing of the provider's, no ID, no token. */
export function successPage(providerName: string): Reply {
  return page({ status: 200, title: 'Connected', text: `Your ${providerName} account is connected. You can close this tab.` });
}

export function failurePage(failure: FlowFailure): Reply {
  return page({ status: 400, title: 'Not connected', text: failure.text, logId: failure.logId });
}

/** A flow that could not begin. */
export function refusalPage(error: ServiceError): Reply {
  const text =
    error.code === 'unknown_connect_session_token'
      ? 'This window has expired. Ask for a new link.'
      : `This account cannot be connected right now: ${error.message}.`;
  return page({ status: error.status, title: 'Not connected', text });
}

function page({
  status,
  title,
  text,
  logId,
}: {
  status: number;
  title: string;
  text: string;
  logId?: string | undefined;
}): Reply {
  const reference = logId === undefined ? [] : [html`<p class="reference">Reference: <code>${logId}</code></p>`];
  return pageReply({ status, title, style: STYLE, body: html`<main><h1>${title}</h1><p>${text}</p>${reference}</main>` });
}
