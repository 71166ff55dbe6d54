import type { Journey } from './flow/ports.ts';

const TOKEN = 'svc-connect-token';
const QUERY = 'svc-connect-query';
const FLOW = 'svc-connect-flow';
const VIEW = 'svc-connect-view';

/** Values that this tab keeps during the visit to the provider. Nothing that was typed is among them. */
export const kept = {
  token: (): string | null => read(TOKEN),
  /** The query of the link, with its language and theme. */
  query: (): string => read(QUERY) ?? '',
  journey(): Journey | null {
    const [flowId, view] = [read(FLOW), read(VIEW)];
    if (flowId === null || view === null) return null;
    try {
      return { flowId, ...JSON.parse(view) };
    } catch {
      return null;
    }
  },
  keepLink(token: string, query: string): void {
    write(TOKEN, token);
    write(QUERY, query);
  },
  keepJourney({ flowId, ...view }: Journey): void {
    write(FLOW, flowId);
    write(VIEW, JSON.stringify(view));
  },
  endJourney(): void {
    remove(FLOW);
    remove(VIEW);
  },
  /** Forgets the values if they belong to this token: another link may have been opened in this tab in the meantime. */
  forget(token: string): void {
    if (read(TOKEN) !== token) return;
    remove(TOKEN);
    remove(QUERY);
    kept.endJourney();
  },
};

// If the browser denies access to storage, a link works only until the user leaves the page.
function read(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    sessionStorage.setItem(name, value);
  } catch {}
}

function remove(name: string): void {
  try {
    sessionStorage.removeItem(name);
  } catch {}
}
